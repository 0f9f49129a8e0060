import { expect, test } from "bun:test"
import { visit, withBrowser } from "./harness.ts"

withBrowser()

const mails = [{ subject: "One" }, { subject: "Two" }, { subject: "Three" }]

test("opened mail is marked as read, the title counts unread mail, and a reload keeps both", () =>
  visit({ mails }, async ({ page, row }) => {
    await page.waitForFunction(() => document.title === "(3) Inbox · Mailstead")
    await row("Two").click()
    await page.waitForFunction(() => document.title === "(2) Two · Inbox · Mailstead")
    await row("Two").getByLabel("Unread").waitFor({ state: "detached" })
    await page.reload()
    await row("One").getByLabel("Unread").waitFor()
    expect(await row("Two").getByLabel("Unread").count()).toBe(0)
    expect(await page.getByRole("navigation", { name: "Main" }).getByLabel("2 unread").count()).toBe(1)
  }))

test("mail can be marked unread again while it is open", () =>
  visit({ mails }, async ({ page, row }) => {
    await row("Two").click()
    await row("Two").getByLabel("Unread").waitFor({ state: "detached" })
    await page.getByRole("button", { name: "Mark as unread" }).click()
    await row("Two").getByLabel("Unread").waitFor()
  }))

test("what is marked last is counted before the server has answered, and stays when an earlier mark arrives late", () =>
  visit({ mails: [{ subject: "One" }] }, async ({ page, server, row }) => {
    const held = Promise.withResolvers<() => Promise<void>>()
    await page.route("**/inbox/marks", (route) => held.resolve(() => route.continue()), { times: 1 })
    const unread = page.waitForResponse((answer) => answer.request().postData()?.includes('"read":false') === true)
    await row("One").click()
    await page.waitForFunction(() => document.title === "One · Inbox · Mailstead")
    await page.getByRole("button", { name: "Mark as unread" }).click()
    await page.waitForFunction(() => document.title === "(1) One · Inbox · Mailstead")
    await (await held.promise)()
    await unread
    await page.goto(`${server.url}/app`)
    await page.waitForFunction(() => document.title === "(1) Inbox · Mailstead")
  }))

test("all mail can be marked as read, and later mail is unread", () =>
  visit({ mails }, async ({ page, server, row }) => {
    await row("One").waitFor()
    await page.getByRole("button", { name: "Inbox actions" }).click()
    await page.getByRole("menuitem", { name: "Mark all as read" }).click()
    await page.waitForFunction(() => document.title === "Inbox · Mailstead")
    await server.sendMail({ subject: "Four" })
    await row("Four").getByLabel("Unread").waitFor()
    await page.waitForFunction(() => document.title === "(1) Inbox · Mailstead")
  }))

test("another tab shows mail as read that was read here", () =>
  visit({ mails }, async ({ page, server, row }) => {
    await row("One").waitFor()
    const other = await page.context().newPage()
    await other.goto(`${server.url}/app`)
    await row("One").click()
    await other.waitForFunction(() => document.title === "(2) Inbox · Mailstead")
  }))
