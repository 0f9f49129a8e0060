import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { callsTo } from "./calls.ts"
import { visit, withBrowser } from "./harness.ts"

withBrowser()

const path = "/app/contacts"
const tray = (page: Page) => page.getByRole("status", { name: "Jobs" })
const dialog = (page: Page) => page.getByRole("dialog", { name: /Import/ })
const isFocused = (page: Page, name: string) =>
  page.waitForFunction((text) => document.activeElement?.textContent?.trim() === text, name)

/** Makes bulk jobs stay half done. */
const neverEnding = (page: Page) =>
  page.route("**/contacts/bulk/*", (route) => {
    const jobId = route.request().url().split("/").at(-1)
    const counts = { total: 200, processed: 90, succeeded: 90, failed: 0, progress: 45, errors: [] }
    return route.fulfill({ json: { jobId, status: "processing", operation: "unsubscribe", ...counts } })
  })

async function importFile(page: Page, text: string): Promise<void> {
  await page.getByRole("button", { name: /^Import/ }).click()
  const file = { name: "people.csv", mimeType: "text/csv", buffer: Buffer.from(text) }
  await dialog(page).getByLabel("CSV file").setInputFiles(file)
  await dialog(page).getByRole("button", { name: "Import", exact: true }).click()
}

for (const [width, height] of [
  [1440, 800],
  [820, 700],
  [390, 780],
] as const) {
  test(`jobs cover no control at ${width} pixels`, () =>
    visit({ path: null, viewport: { width, height } }, async ({ page, server }) => {
      const { addContacts } = callsTo(server)
      await addContacts(30)
      await neverEnding(page)
      await page.goto(server.url + path)
      for (const name of ["p001@example.com", "p002@example.com", "p003@example.com"]) {
        await page.getByLabel(`Select ${name}`).click()
        await page.getByRole("button", { name: "Unsubscribe" }).click()
        await page.getByText("1 selected").waitFor({ state: "detached" })
      }
      await tray(page).getByText("90 of 200").nth(2).waitFor()
      const [whole, jobs] = await Promise.all([page.getByRole("main").boundingBox(), tray(page).boundingBox()])
      expect((whole?.y ?? Number.NaN) + (whole?.height ?? 0)).toBeLessThanOrEqual(jobs?.y ?? 0)
      const overflow = () => page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)
      expect(await overflow()).toBe(0)
      const last = page.getByRole("link", { name: "p001@example.com" })
      await last.scrollIntoViewIfNeeded()
      await last.click()
      await page.getByRole("tab", { name: "JSON" }).click()
      await page.getByLabel("Data as JSON").fill('{ "plan": "pro" }')
      await page.getByRole("button", { name: "Discard" }).click({ trial: true })
      await page.getByRole("button", { name: "Save" }).click()
      await page.locator("[data-unsaved]").waitFor({ state: "detached" })
      expect(await overflow()).toBe(0)
    }))
}

test("a result seen in the dialog is not shown again, however the dialog was closed", () =>
  visit({ path }, async ({ page }) => {
    const ways = [
      () => page.keyboard.press("Escape"),
      () => dialog(page).getByRole("banner").getByRole("button").click(),
      () => dialog(page).getByRole("button", { name: "Close" }).last().click(),
    ]
    for (const leave of ways) {
      await importFile(page, "email\nada@example.com\n")
      await dialog(page).getByRole("heading", { name: "people.csv imported" }).waitFor()
      await leave()
      await dialog(page).waitFor({ state: "detached" })
      expect(await tray(page).getByText("people.csv").count()).toBe(0)
    }
    await page.reload()
    await page.getByRole("link", { name: "ada@example.com" }).waitFor()
    expect(await tray(page).getByText("people.csv").count()).toBe(0)
  }))

test("the import dialog keeps the focus from the file to its end, and no key reaches the page behind it", () =>
  visit({ path: null }, async ({ page, server }) => {
    await callsTo(server).addContacts(2)
    await page.goto(server.url + path)
    await page.getByText("2 contacts").waitFor()
    let pretend = true
    await page.route("**/contacts/import/*", async (route) => {
      const real = await (await route.fetch()).json()
      await route.fulfill({ json: pretend ? { ...real, status: "processing", progress: 25 } : real })
    })
    await page.getByRole("button", { name: "Import", exact: true }).click()
    const choose = (text: string) =>
      dialog(page)
        .getByLabel("CSV file")
        .setInputFiles({ name: "people.csv", mimeType: "text/csv", buffer: Buffer.from(text) })
    await choose("name\nAda\n")
    await isFocused(page, "Another file")
    await choose("email\nada@example.com\n")
    await dialog(page).getByRole("columnheader", { name: "email" }).waitFor()
    await dialog(page).getByRole("button", { name: "Import", exact: true }).press("Enter")
    await isFocused(page, "Continue in the background")
    pretend = false
    await isFocused(page, "Show the new contacts")
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
    await page.keyboard.press("A")
    expect(await page.getByText(/ selected$/).count()).toBe(0)
    await page.keyboard.press("Escape")
    await dialog(page).waitFor({ state: "detached" })
    await page.getByText("3 contacts").waitFor()
    await page.keyboard.press("A")
    await page.getByText("3 selected").waitFor()
  }))

test("choosing a file focuses the import button", () =>
  visit({ path, allowed: /500/ }, async ({ page }) => {
    await page.route("**/contacts/import", (route) => route.fulfill({ status: 500, body: "{}" }))
    await page.getByRole("button", { name: "Import a CSV file" }).click()
    await page.waitForFunction(() => document.activeElement?.textContent?.includes("Drop a CSV file"))
    const file = { name: "people.csv", mimeType: "text/csv", buffer: Buffer.from("email\nada@example.com\n") }
    await dialog(page).getByLabel("CSV file").setInputFiles(file)
    await isFocused(page, "Import")
    await page.keyboard.press("Enter")
    await dialog(page).getByRole("alert").waitFor()
    await isFocused(page, "Import")
  }))

test("a file with only column names is reported as having no rows", () =>
  visit({ path }, async ({ page }) => {
    await importFile(page, "email,plan\n")
    await dialog(page).getByText("The file has no rows below the names of its columns.").waitFor()
    await isFocused(page, "Close")
  }))
