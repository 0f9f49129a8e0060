import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { visit, withBrowser } from "./harness.ts"

withBrowser()

const settings = { "sandbox.clock": "manual" } as const
const hour = 60 * 60 * 1_000

/** Where the clock stands, as the page shows it, in ms. */
async function shown(page: Page): Promise<number> {
  const time = page.getByRole("region", { name: "Clock of the sandbox" }).locator("time")
  return Date.parse((await time.getAttribute("datetime")) ?? "")
}

test("the shell of a sandbox with a manual clock shows its time, turns it, and what became due is in the inbox", () =>
  // The session ends by the same clock; the page then signs in by itself.
  visit({ settings, allowed: /401/ }, async ({ page, server, row }) => {
    const secret = server.projects[0]?.secret ?? ""
    const call = (path: string, body: object) =>
      fetch(`${server.url}${path}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
        body: JSON.stringify(body),
      })
    const mail = { to: "defer@simulator.test", from: "hi@shop.test", subject: "Deferred", body: "<p>Hi</p>" }
    expect((await call("/v1/send", mail)).status).toBe(200)
    const clock = page.getByRole("region", { name: "Clock of the sandbox" })
    await clock.waitFor()
    const begun = await shown(page)
    await row("Deferred").click()
    const note = page.getByText(/^Tried 1 time\. It is tried again on .*:\d\d\.$/)
    await note.waitFor()

    await clock.getByRole("button", { name: "One hour on" }).click()
    await page.getByText("1 mail went out.").waitFor()
    expect(await shown(page)).toBe(begun + hour)
    await note.waitFor({ state: "detached" })
    await row("Deferred").waitFor()

    await clock.getByRole("button", { name: "To…" }).click()
    const dialog = page.getByRole("dialog")
    const when = dialog.getByLabel("Turn it to")
    await when.fill("2020-01-01T00:00")
    await dialog.getByRole("button", { name: "Turn the clock" }).click()
    await dialog.getByText("The clock is past that.").waitFor()
    const later = new Date(begun + 40 * 24 * hour)
    later.setSeconds(0, 0)
    await when.fill(localTime(later))
    await dialog.getByRole("button", { name: "Turn the clock" }).click()
    await page.getByText("No mail went out.").waitFor()
    expect(await shown(page)).toBe(later.getTime())
    // Ages are told by that time too.
    await page.getByText("Today").waitFor({ state: "detached" })
  }))

test("a clock that a program turns is shown as it is", () =>
  visit({ settings, allowed: /401/ }, async ({ page, server }) => {
    await page.getByRole("region", { name: "Clock of the sandbox" }).waitFor()
    const to = new Date((await shown(page)) + 2 * hour).toISOString()
    await fetch(`${server.url}/sandbox/clock`, {
      method: "POST",
      headers: { Authorization: `Bearer ${server.projects[0]?.secret}`, "Content-Type": "application/json" },
      body: JSON.stringify({ to }),
    })
    await page.locator(`time[datetime="${to}"]`).waitFor()
  }))

test("the shell of a sandbox that follows the system shows no clock", () =>
  visit({ mails: [{ subject: "One" }] }, async ({ page, row }) => {
    await row("One").waitFor()
    expect(await page.getByRole("region", { name: "Clock of the sandbox" }).count()).toBe(0)
  }))

/** As an input of the browser has it, in the zone of this process, which the browser shares. */
const localTime = (at: Date): string =>
  new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
