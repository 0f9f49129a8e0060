import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { callsTo } from "./calls.ts"
import { visit, withBrowser } from "./harness.ts"

withBrowser()

const path = "/app/contacts"

/** Waits until the element with this label or text has the focus. */
const isFocused = (page: Page, name: string) =>
  page.waitForFunction((wanted) => {
    const { activeElement: at } = document
    return (at?.getAttribute("aria-label") ?? at?.textContent?.trim()) === wanted
  }, name)

const withAda = (data: Record<string, unknown>, use: (page: Page) => Promise<void>, allowed?: RegExp) =>
  visit({ path: null, ...(allowed ? { allowed } : {}) }, async ({ page, server }) => {
    const { id } = await callsTo(server).post("/contacts", { email: "ada@example.com", data })
    await page.goto(`${server.url}${path}/${id}`)
    await page.getByRole("heading", { name: "ada@example.com" }).waitFor()
    await use(page)
  })

test("the focus stays at a field that is removed and restored, and moves on from a new one that is removed", () =>
  withAda({ a: "1", inner: { x: "1" } }, async (page) => {
    const press = (name: string) => page.getByRole("button", { name, exact: true }).press("Enter")
    await press("Remove x")
    await isFocused(page, "Bring back x")
    await page.keyboard.press("Enter")
    await isFocused(page, "Remove x")
    await page.getByRole("button", { name: "Add a field" }).last().click()
    await page.getByRole("combobox", { name: "Name of the field" }).fill("b")
    await page.keyboard.press("Enter")
    await isFocused(page, "b")
    await press("Remove b")
    await isFocused(page, "Type of inner: Object")
    await press("Remove inner")
    await page.getByLabel("a", { exact: true }).fill("")
    await page.keyboard.press("Control+s")
    await page.getByText("No fields yet.", { exact: false }).waitFor()
    await isFocused(page, "Add a field")
  }))

test("the focus stays at a field whose type is changed", () =>
  withAda({ zip: "150" }, async (page) => {
    await page.getByRole("button", { name: "Type of zip: Text" }).press("Enter")
    await page.getByRole("menuitem", { name: "Number" }).press("Enter")
    await isFocused(page, "Type of zip: Number")
  }))

test("saving and discarding by button keep the focus in the contact, and a failed save keeps it at the button", () =>
  withAda(
    { plan: "free" },
    async (page) => {
      const inContact = () =>
        page.waitForFunction(() => document.activeElement?.closest("article")?.getAttribute("aria-label") === "Contact")
      await page.getByLabel("plan", { exact: true }).fill("pro")
      await page.getByRole("button", { name: "Discard" }).press("Enter")
      await page.locator("[data-unsaved]").waitFor({ state: "detached" })
      await inContact()
      await page.getByLabel("plan", { exact: true }).fill("pro")
      await page.route("**/contacts/*", (route) =>
        route.request().method() === "PATCH" ? route.fulfill({ status: 500, body: "{}" }) : route.continue(),
      )
      await page.getByRole("button", { name: "Save" }).press("Enter")
      await page.getByRole("alert").filter({ hasText: "Not saved" }).waitFor()
      await isFocused(page, "Save")
      await page.unroute("**/contacts/*")
      await page.keyboard.press("Enter")
      await page.locator("[data-unsaved]").waitFor({ state: "detached" })
      await inContact()
    },
    /500/,
  ))

test("closing the address form returns the focus to the edit button", () =>
  withAda({}, async (page) => {
    const pencil = page.getByRole("button", { name: "Change address" })
    await pencil.press("Enter")
    await isFocused(page, "Address")
    await page.keyboard.press("Escape")
    await isFocused(page, "Change address")
    await pencil.press("Enter")
    await page.getByLabel("Address", { exact: true }).fill("ada@north.test")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "ada@north.test" }).waitFor()
    await isFocused(page, "Change address")
  }))

test("going back to invalid JSON focuses its text", () =>
  withAda({}, async (page) => {
    await page.getByRole("tab", { name: "JSON" }).click()
    await page.getByLabel("Data as JSON").fill('{"a":')
    await page.getByText("Line 1, column 6: The text ends too early.").waitFor()
    await page.getByRole("tab", { name: "Fields" }).click()
    await page.getByRole("button", { name: "Back to the JSON" }).press("Enter")
    await isFocused(page, "Data as JSON")
  }))

test("bulk actions move the focus from their bar to the list, and on to a remaining contact", () =>
  visit({ path: null }, async ({ page, server }) => {
    await callsTo(server).addContacts(3)
    await page.goto(server.url + path)
    const tools = page.getByRole("toolbar", { name: "Selected contacts" })
    await page.getByLabel("Select p002@example.com").click()
    await tools.getByRole("button", { name: "Select all 3" }).press("Enter")
    await isFocused(page, "Clear selection")
    await page.keyboard.press("Enter")
    await isFocused(page, "p002@example.com")
    await page.keyboard.press("x")
    await tools.getByRole("button", { name: "Unsubscribe" }).press("Enter")
    await isFocused(page, "p002@example.com")
    await page.keyboard.press("x")
    await tools.getByRole("button", { name: "Delete" }).press("Enter")
    await isFocused(page, "Keep")
    await page.getByRole("dialog").getByRole("button", { name: "Delete 1" }).press("Enter")
    await page.getByText("2 contacts", { exact: true }).waitFor()
    await isFocused(page, "p001@example.com")
  }))

test("deleting a field of the catalogue focuses the next one", () =>
  visit({ path: null }, async ({ page, server }) => {
    await callsTo(server).post("/contacts", { email: "a@example.com", data: { plan: "pro", score: 3, zip: "1" } })
    await page.goto(`${server.url}${path}/fields`)
    const remove = async (name: string) => {
      await page.getByRole("button", { name: `Delete ${name}` }).press("Enter")
      const dialog = page.getByRole("dialog", { name: `Delete the field ${name}?` })
      await isFocused(page, "Keep")
      await dialog.getByRole("button", { name: "Delete field" }).press("Enter")
      await page.getByRole("button", { name: `Delete ${name}` }).waitFor({ state: "detached" })
    }
    await remove("score")
    await isFocused(page, "zip")
    await remove("zip")
    await isFocused(page, "plan")
    expect(await page.getByRole("row").filter({ hasText: "plan" }).count()).toBe(1)
  }))
