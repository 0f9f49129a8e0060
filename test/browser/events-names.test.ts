import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { until } from "../harness/store.ts"
import { callsTo } from "./calls.ts"
import { loaded, visit, withBrowser } from "./harness.ts"

withBrowser()

const path = "/app/events/names"
const row = (page: Page, name: string) =>
  page.getByRole("row").filter({ has: page.getByRole("button", { name, exact: true }) })

async function track(calls: ReturnType<typeof callsTo>, events: Readonly<Record<string, number>>): Promise<void> {
  for (const [event, count] of Object.entries(events))
    for (let at = 0; at < count; at++) await calls.post("/events/track", { event, email: `who${at % 2}@example.com` })
}

test("names are listed with counts and recent days, the most frequent first", () =>
  visit({ path: null, mails: [{ subject: "Hi" }] }, async ({ page, server }) => {
    await track(callsTo(server), { purchase: 5, login: 3 })
    await page.goto(server.url + path)
    await page.getByText("4 names").waitFor()
    const names = await page.getByRole("row").locator("[data-toggle]").allTextContents()
    expect(names).toEqual(["purchase", "login", "email.delivery", "email.sent"])
    await row(page, "purchase").getByRole("img", { name: "5 in 14 days, 5 today" }).waitFor()
    expect(await row(page, "login").locator("td").nth(2).textContent()).toBe("3")

    await page.getByRole("button", { name: "purchase", exact: true }).click()
    await page.getByText("2 had one").waitFor()
    await page.getByText("No segment or workflow").waitFor()
    await page.getByRole("link", { name: "Show these events" }).click()
    await page.getByText("5 events").waitFor()
    expect(new URL(page.url()).search).toBe("?name=purchase")
  }))

test("events of earlier days are drawn at their day", () =>
  visit({ path: null }, async ({ page, server }) => {
    await track(callsTo(server), { purchase: 1, rare: 1 })
    const today = new Date().setHours(0, 0, 0, 0)
    await page.route("**/events/stats?*endDate=*", async (route) => {
      const start = new Date(new URL(route.request().url()).searchParams.get("startDate") ?? "").getTime()
      const days = Math.round((today - start) / 86_400_000)
      await route.fulfill({ json: days === 13 ? [{ name: "purchase", count: 8 }] : [] })
    })
    await page.goto(server.url + path)
    const bars = row(page, "purchase").getByRole("img", { name: "9 in 14 days, 1 today" }).locator("rect")
    await bars.first().waitFor({ state: "attached" })
    const heights = await bars.evaluateAll((all) => all.map((bar) => Number(bar.getAttribute("height"))))
    expect(heights.length).toBe(14)
    expect(heights[0]).toBe(22)
    expect(heights.slice(1, -1).every((height) => height === 1)).toBe(true)
    expect(heights.at(-1)).toBeGreaterThanOrEqual(2.75)
  }))

test("days that cannot be read do not look as if they were still loaded", () =>
  visit({ path: null, allowed: /422/ }, async ({ page, server }) => {
    await track(callsTo(server), { purchase: 1 })
    let isRefused = true
    await page.route("**/events/stats?*startDate=*", (route) =>
      isRefused ? route.fulfill({ status: 422, json: { error: { message: "No", code: "X" } } }) : route.continue(),
    )
    await page.goto(server.url + path)
    await row(page, "purchase").getByText("Not known").waitFor()
    isRefused = false
    const trend = row(page, "purchase").getByRole("img", { name: "1 in 14 days, 1 today" })
    await until(async () => {
      // Without effect while the page still waits for an answer.
      await page.keyboard.press("r")
      return trend.isVisible()
    })
  }))

test("a name that has no room is shown in full once it is opened", () =>
  visit({ path: null, viewport: { width: 375, height: 800 } }, async ({ page, server }) => {
    const name = `feature.${"opened-closed-".repeat(12)}`
    await track(callsTo(server), { [name]: 1 })
    await page.goto(server.url + path)
    const label = page.getByRole("button", { name, exact: true }).getByText(name)
    const hidden = () => label.evaluate((it) => it.scrollWidth - it.clientWidth)
    await label.waitFor()
    expect(await hidden()).toBeGreaterThan(0)
    await label.click()
    await page.getByText("1 had one").waitFor()
    expect(await hidden()).toBe(0)
  }))

test("names are found by a part of the name", () =>
  visit({ path: null }, async ({ page, server }) => {
    await track(callsTo(server), { purchase: 1, login: 1, "Log out": 1 })
    await page.goto(server.url + path)
    await row(page, "purchase").waitFor()
    await page.keyboard.press("/")
    await page.keyboard.type("LOG")
    await row(page, "purchase").waitFor({ state: "detached" })
    expect(await page.locator("[data-toggle]").count()).toBe(2)
    await page.getByRole("searchbox", { name: "Search names" }).fill("zzz")
    await page.getByText("No name matches.").waitFor()
    await page.getByRole("button", { name: "Show all names" }).click()
    await row(page, "purchase").waitFor()
  }))

test("the events of a name are deleted, after showing how many there are and of how many contacts", () =>
  visit({ path: null, mails: [{ subject: "Hi" }] }, async ({ page, server }) => {
    const calls = callsTo(server)
    await track(calls, { purchase: 5, login: 3 })
    await page.goto(server.url + path)
    expect(
      await row(page, "email.sent")
        .getByRole("button", { name: /Delete/ })
        .count(),
    ).toBe(0)
    await page.getByRole("button", { name: "Delete purchase" }).click()
    const dialog = page.getByRole("dialog", { name: "Delete all events named purchase?" })
    await dialog.getByText("5 events of 2 contacts will go. This cannot be undone.").waitFor()
    await dialog.getByRole("button", { name: "Keep" }).click()
    await dialog.waitFor({ state: "detached" })
    expect((await calls.get("/events?eventName=purchase")).total).toBe(5)

    await page.getByRole("button", { name: "Delete purchase" }).click()
    await dialog.getByRole("button", { name: "Delete events" }).click()
    await page.getByText("5 events named purchase deleted").waitFor()
    await row(page, "purchase").waitFor({ state: "detached" })
    expect((await calls.get("/events?eventName=purchase")).total).toBe(0)

    await page.goto(`${server.url}/app/events?name=login`)
    await page.getByRole("button", { name: "Delete all of this name" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Delete events" }).click()
    await page.getByText("3 events named login deleted").waitFor()
    await page.getByText("2 events", { exact: true }).waitFor()
    expect(new URL(page.url()).search).toBe("")
  }))

test("a name that is chosen for deletion by a double click is asked about once", () =>
  visit({ path: null }, async ({ page, server }) => {
    await track(callsTo(server), { purchase: 2, login: 1 })
    await page.goto(server.url + path)
    const held = Promise.withResolvers<void>()
    await page.route("**/events/purchase/usage", async (route) => {
      await held.promise
      await route.continue()
    })
    const answers = [1, 2].map(() => page.waitForResponse("**/events/purchase/usage"))
    await page.getByRole("button", { name: "Delete purchase" }).dblclick()
    held.resolve()
    await Promise.all(answers)
    await page.getByRole("dialog").getByRole("button", { name: "Delete events" }).click()
    await page.getByText("2 events named purchase deleted").waitFor()
    await page.getByRole("dialog").waitFor({ state: "detached" })
  }))

test("segments that use a name are shown before deletion, and a workflow started by it prevents deletion", () =>
  visit({ path: null }, async ({ page, server }) => {
    await track(callsTo(server), { purchase: 1, login: 1 })
    await page.route("**/events/*/usage", async (route) => {
      const real = await (await route.fetch()).json()
      const isLogin = route.request().url().includes("login")
      const uses = isLogin
        ? { usedInWorkflows: [{ id: "1", name: "Welcome" }], canDelete: false }
        : { usedInSegments: [{ id: "1", name: "Buyers" }] }
      await route.fulfill({ json: { ...real, ...uses } })
    })
    await page.goto(server.url + path)
    await page.getByRole("button", { name: "purchase", exact: true }).click()
    expect(await page.getByRole("link", { name: "Buyers" }).getAttribute("href")).toEndWith("/segments/1")
    await page.getByRole("button", { name: "Delete purchase" }).click()
    await page
      .getByRole("dialog")
      .getByText("used by segment “Buyers”. Whatever uses it stays, and finds no such event.")
      .waitFor()
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Delete login" }).click()
    await page.getByText("login stays: workflow “Welcome” needs it.").waitFor()
    expect(await page.getByRole("button", { name: "Delete events" }).count()).toBe(0)
  }))

test("the pages are reached from the palette", () =>
  visit({ path: "/app/inbox" }, async ({ page }) => {
    await loaded(page)
    for (const [command, path] of [
      ["Go to event names", "/events/names"],
      ["Go to events", "/events"],
    ] as const) {
      await page.keyboard.press("Control+k")
      await page.getByRole("combobox", { name: "Command" }).fill(command)
      await page.keyboard.press("Enter")
      await page.waitForURL(`**${path}`)
      await page.getByRole("heading", { name: "Nothing happened yet" }).waitFor()
      await page.getByRole("dialog", { name: "Command palette" }).waitFor({ state: "detached" })
    }
  }))
