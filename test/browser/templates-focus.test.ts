import { expect, test } from "bun:test"
import { callsTo } from "./calls.ts"
import { visit, withBrowser } from "./harness.ts"
import { hasFocus, isSaved, paper, withTemplate } from "./templates-seed.ts"

withBrowser()

const path = "/app/templates"

test("choosing the contact of the preview returns the focus to the button", () =>
  withTemplate({ body: "<p>Hello {{firstName}}</p>" }, async (page, { post }) => {
    await post("/contacts", { email: "bo@example.com", data: { firstName: "Bo" } })
    await post("/contacts", { email: "ada@example.com", data: { firstName: "Ada" } })
    await page.reload()
    await page.getByRole("button", { name: "Filled for ada@example.com" }).press("Enter")
    await page.getByRole("button", { name: "bo@example.com" }).press("Enter")
    await paper(page).getByText("Hello Bo").waitFor()
    await hasFocus(page, "Filled for bo@example.com")
  }))

test("Tab and Shift-Tab in the body change its indentation, and the page says which keys leave it", () =>
  withTemplate({}, async (page) => {
    for (const tab of ["Tab", "Shift+Tab"]) {
      // Esc counts until the next key other than Tab.
      await page.getByRole("textbox", { name: "Body" }).press("Home")
      await page.keyboard.press(tab)
      const hint = page.getByRole("status").filter({ hasText: "Esc and then Tab leaves the editor." })
      await hint.waitFor()
      await page.keyboard.press("Escape")
      await page.keyboard.press(tab)
      await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") !== "Body")
      await hint.waitFor({ state: "detached" })
    }
  }))

test("saving by the button keeps the focus on it, also when nothing is left to save", () =>
  withTemplate({}, async (page) => {
    const save = page.getByRole("button", { name: "Save" })
    const { promise: allowed, resolve: answer } = Promise.withResolvers<void>()
    await page.route("**/templates/*", async (route) => {
      if (route.request().method() === "PATCH") await allowed
      await route.continue()
    })
    await page.getByLabel("Subject").fill("Thanks")
    await save.press("Enter")
    // the button is disabled meanwhile, and has lost the focus
    await page.waitForFunction(() => document.activeElement === document.body)
    answer()
    await isSaved(page)
    await hasFocus(page, "Save")
    expect(await save.isDisabled()).toBe(true)
  }))

test("a new or copied template has the cursor in its name", () =>
  visit({ path }, async ({ page }) => {
    await page.getByRole("button", { name: "New template" }).click()
    await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("Letter")
    await page.keyboard.press("Enter")
    await page.waitForFunction(() => document.title === "Letter · Mailstead")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await hasFocus(page, "Name")
    await page.getByRole("button", { name: "Template actions" }).click()
    await page.getByRole("menuitem", { name: "Duplicate" }).click()
    await page.waitForFunction(() => document.title === "Letter (Copy) · Mailstead")
    await page.getByRole("menu").waitFor({ state: "detached" })
    await hasFocus(page, "Name")
  }))

test("deleting a template focuses the row below it, or the one above the last", () =>
  visit({ path: null }, async ({ page, server }) => {
    const { addTemplate } = callsTo(server)
    for (const name of ["One", "Two", "Three"]) await addTemplate({ name })
    await page.goto(`${server.url + path}?sort=name`)
    const remove = async (name: string) => {
      await page.getByRole("button", { name: `Actions for ${name}` }).press("Enter")
      await page.getByRole("menuitem", { name: "Delete" }).press("Enter")
      await page.getByRole("link", { name }).waitFor({ state: "detached" })
      await page.getByRole("menu").waitFor({ state: "detached" })
    }
    await page.getByRole("link", { name: "Two" }).waitFor()
    expect(await page.locator("[data-row]").allTextContents()).toEqual(["Two", "Three", "One"])
    await remove("Three")
    await hasFocus(page, "One")
    await remove("One")
    await hasFocus(page, "Two")
  }))

test("going back from a template focuses its row", () =>
  visit({ path: null }, async ({ page, server }) => {
    const { addTemplate } = callsTo(server)
    for (const name of ["One", "Two", "Three"]) await addTemplate({ name })
    await page.goto(server.url + path)
    for (const back of [() => page.getByRole("button", { name: "All templates" }).click(), () => page.goBack()]) {
      await page.getByRole("link", { name: "Two" }).click()
      await page.getByLabel("Subject").waitFor()
      await back()
      await hasFocus(page, "Two")
    }
    await page.keyboard.press("j")
    await hasFocus(page, "One")
  }))
