import { expect, test } from "bun:test"
import { visit, withBrowser } from "./harness.ts"

withBrowser()

const mails = [{ subject: "One" }, { subject: "Two" }, { subject: "Three" }]

test("one mail is deleted after asking, and the next one opens", () =>
  visit({ mails }, async ({ page, row }) => {
    await row("Two").click()
    await page.getByRole("button", { name: "Delete", exact: true }).click()
    const dialog = page.getByRole("dialog", { name: "Delete this message?" })
    await dialog.getByText("Two").waitFor()
    await dialog.getByRole("button", { name: "Delete" }).click()
    await row("Two").waitFor({ state: "detached" })
    await page.getByRole("heading", { name: "One", level: 1 }).waitFor()
    await page.reload()
    await row("One").waitFor()
    expect(await page.locator("[data-mail]").count()).toBe(2)
  }))

test("keeping it deletes nothing", () =>
  visit({ mails }, async ({ page, row }) => {
    await row("Two").click()
    await page.getByRole("button", { name: "Delete", exact: true }).click()
    await page.getByRole("button", { name: "Keep" }).click()
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await page.reload()
    await row("Two").waitFor()
    expect(await page.locator("[data-mail]").count()).toBe(3)
  }))

test("all mail is deleted after asking, and the inbox is as at the start", () =>
  visit({ mails }, async ({ page, row }) => {
    await row("Two").click()
    await page.getByRole("button", { name: "Inbox actions" }).click()
    await page.getByRole("menuitem", { name: "Delete all" }).click()
    await page.getByRole("dialog", { name: "Delete 3 messages?" }).getByRole("button", { name: "Delete all" }).click()
    await page.getByRole("heading", { name: "Waiting for your first mail" }).waitFor()
    await page.reload()
    await page.getByRole("heading", { name: "Waiting for your first mail" }).waitFor()
  }))

test("a refused deletion is told and the mail comes back", () =>
  visit({ mails, allowed: /500/ }, async ({ page, row }) => {
    await page.route("**/emails/*", (route) =>
      route.request().method() === "DELETE" ? route.fulfill({ status: 500, body: "{}" }) : route.continue(),
    )
    await row("Two").focus()
    await page.keyboard.press("Delete")
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
    await page.getByRole("alert").filter({ hasText: "Not deleted" }).waitFor()
    await row("Two").waitFor()
  }))

test("mail deleted in another window leaves this one too, even while it is open", () =>
  visit({ mails, allowed: /404/ }, async ({ page, server, row }) => {
    await row("Two").click()
    await page.getByRole("heading", { name: "Two", level: 1 }).waitFor()
    await page.getByRole("img", { name: "New mail appears by itself" }).waitFor()
    const id = new URL(page.url()).pathname.split("/").at(-1)
    const other = await page.context().newPage()
    await other.goto(`${server.url}/app/inbox/${id}`)
    await other.getByRole("button", { name: "Delete", exact: true }).click()
    await other.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
    await row("Two").waitFor({ state: "detached" })
    await page.getByText("This message is not here").waitFor()
  }))
