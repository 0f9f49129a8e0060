import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { undoMs } from "../../src/dashboard/context/deletions.ts"
import { until } from "../harness/store.ts"
import { callsTo } from "./calls.ts"
import { visit, withBrowser } from "./harness.ts"

withBrowser()

const mails = [{ subject: "One" }, { subject: "Two" }, { subject: "Three" }]

/** The fake clock is a script, which is blocked in frames with mail. */
const clockInFrames = /Blocked script execution/

/** Advances the clock beyond the time to undo, and waits for the request. */
const settle = async (page: Page) => {
  const sent = page.waitForResponse((answer) => answer.request().method() === "DELETE")
  await page.clock.fastForward(undoMs)
  await sent
}

test("a deleted mail is removed from the list at once, the next one opens, and the server deletes it when it can no longer be undone", () =>
  visit({ mails, alone: true, allowed: clockInFrames }, async ({ page, row, server }) => {
    await page.clock.install()
    await row("Two").click()
    await page.getByRole("button", { name: "Delete", exact: true }).click()
    await row("Two").waitFor({ state: "detached" })
    await page.getByRole("heading", { name: "One", level: 1 }).waitFor()
    const total = async () => (await callsTo(server).get("/emails")).total
    expect(await total()).toBe(3)
    await settle(page)
    expect(await total()).toBe(2)
    await page.getByRole("status", { name: "Deleted" }).getByText("Two").waitFor({ state: "detached" })
    await page.reload()
    await row("One").waitFor()
    expect(await page.locator("[data-mail]").count()).toBe(2)
  }))

test("a deletion is undone by button or by key, the latest first", () =>
  visit({ mails }, async ({ page, row, server }) => {
    const bar = page.getByRole("status", { name: "Deleted" })
    await row("Two").focus()
    await page.keyboard.press("#")
    await bar.getByText("Deleted Two").waitFor()
    await row("One").focus()
    await page.keyboard.press("#")
    await bar.getByText("Deleted One and 1 more").waitFor()
    await page.keyboard.press("z")
    await row("One").waitFor()
    await page.waitForFunction(() => document.activeElement?.textContent?.includes("One"))
    await bar.getByRole("button", { name: "Undo" }).click()
    await row("Two").waitFor()
    await bar.getByRole("button", { name: "Undo" }).waitFor({ state: "detached" })
    expect((await callsTo(server).get("/emails")).total).toBe(3)
  }))

test("leaving the page sends pending deletions", () =>
  visit({ mails }, async ({ page, row, server }) => {
    await row("Two").focus()
    await page.keyboard.press("#")
    await row("Two").waitFor({ state: "detached" })
    await page.reload()
    await row("One").waitFor()
    await row("Two").waitFor({ state: "detached" })
    await until(async () => (await callsTo(server).get("/emails")).total === 2)
  }))

test("all mail is deleted after asking, and the inbox is empty", () =>
  visit({ mails }, async ({ page, row }) => {
    await row("Two").click()
    await page.getByRole("button", { name: "Inbox actions" }).click()
    await page.getByRole("menuitem", { name: "Delete all" }).click()
    await page.getByRole("dialog", { name: "Delete 3 messages?" }).getByRole("button", { name: "Delete all" }).click()
    await page.getByRole("heading", { name: "Waiting for your first mail" }).waitFor()
    await page.reload()
    await page.getByRole("heading", { name: "Waiting for your first mail" }).waitFor()
  }))

test("a refused deletion is reported and the mail is shown again", () =>
  visit({ mails, alone: true, allowed: /500|Blocked script execution/ }, async ({ page, row }) => {
    await page.clock.install()
    await page.route("**/emails/*", (route) =>
      route.request().method() === "DELETE" ? route.fulfill({ status: 500, body: "{}" }) : route.continue(),
    )
    await row("Two").focus()
    await page.keyboard.press("Delete")
    await settle(page)
    await page.getByRole("alert").filter({ hasText: "Not deleted" }).waitFor()
    await row("Two").waitFor()
  }))

test("mail deleted in another window is removed here too, even while it is open", () =>
  visit({ mails, allowed: /404/ }, async ({ page, server, row }) => {
    await row("Two").click()
    await page.getByRole("heading", { name: "Two", level: 1 }).waitFor()
    await page.getByRole("img", { name: "New mail appears by itself" }).waitFor()
    const id = new URL(page.url()).pathname.split("/").at(-1)
    const other = await page.context().newPage()
    await other.goto(`${server.url}/app/inbox/${id}`)
    await other.getByRole("button", { name: "Delete", exact: true }).click()
    await other.getByRole("heading", { name: "One", level: 1 }).waitFor()
    await other.goto("about:blank")
    await row("Two").waitFor({ state: "detached" })
    await page.getByText("This message is not here").waitFor()
  }))
