import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { callsTo } from "./calls.ts"
import { pathOf, visit, withBrowser } from "./harness.ts"

withBrowser()

const list = (page: Page) => page.getByRole("table", { name: "Contacts" })
const selected = (page: Page) => page.getByText(/ selected$/)

/** The list for `p00`, while the response for `p01` is delayed until `answer` is called. */
const whileWaiting = (use: (page: Page, answer: () => void) => Promise<void>) =>
  visit({ path: null }, async ({ page, server }) => {
    await callsTo(server).addContacts(12)
    await page.goto(`${server.url}/app/contacts?search=p00`)
    await page.getByText("9 found").waitFor()
    await page.keyboard.press("j")
    const { promise: allowed, resolve: answer } = Promise.withResolvers<void>()
    await page.route("**/contacts?*find=p01*", async (route) => {
      await allowed
      await route.continue()
    })
    const asked = page.waitForRequest(/find=p01/)
    await page.getByLabel("Search contacts").fill("p01")
    await asked
    await page.getByRole("heading", { name: "Contacts", level: 1 }).click()
    await use(page, answer)
  })

test("keys have no effect until the results of a search arrive, and then apply to them", () =>
  whileWaiting(async (page, answer) => {
    expect(await list(page).getAttribute("aria-busy")).toBe("true")
    expect(await page.getByText("9 found").count()).toBe(0)
    for (const key of ["A", "Delete", "x", "#"]) await page.keyboard.press(key)
    expect(await selected(page).count()).toBe(0)
    expect(await page.getByRole("dialog").count()).toBe(0)
    answer()
    await page.getByText("3 found").waitFor()
    expect(await list(page).getAttribute("aria-busy")).toBe("false")
    await page.keyboard.press("A")
    await page.getByText("3 selected").waitFor()
    await page.getByRole("button", { name: "Delete" }).click()
    await page.getByRole("dialog", { name: "Delete 3 contacts?" }).waitFor()
  }))

test("rows of the previous search can neither be selected nor opened", () =>
  whileWaiting(async (page, answer) => {
    for (const name of ["Select p009@example.com", "Select all in the list"]) {
      const box = await page.getByLabel(name).boundingBox()
      await page.mouse.click((box?.x ?? 0) + 5, (box?.y ?? 0) + 5)
    }
    await page.getByText("p008@example.com").click({ force: true })
    expect(await selected(page).count()).toBe(0)
    expect(pathOf(page)).toBe("/app/contacts")
    answer()
    await page.getByText("3 found").waitFor()
    await page.getByLabel("Select p011@example.com").click()
    await page.getByText("1 selected").waitFor()
  }))

test("the selection waits for the response when the order changes", () =>
  visit({ path: null }, async ({ page, server }) => {
    await callsTo(server).addContacts(3)
    await page.goto(`${server.url}/app/contacts`)
    await page.getByLabel("Select p002@example.com").click()
    const { promise: allowed, resolve: answer } = Promise.withResolvers<void>()
    await page.route("**/contacts?*sort=email*", async (route) => {
      await allowed
      await route.continue()
    })
    await page.getByRole("button", { name: "Email" }).click()
    await list(page).and(page.locator("[aria-busy=true]")).waitFor()
    const tools = page.getByRole("toolbar", { name: "Selected contacts" })
    for (const name of ["Subscribe", "Unsubscribe", "Delete", "Select all 3"]) {
      expect(await tools.getByRole("button", { name, exact: true }).isDisabled()).toBe(true)
    }
    answer()
    await list(page).and(page.locator("[aria-busy=false]")).waitFor()
    expect(await tools.getByRole("button", { name: "Delete" }).isDisabled()).toBe(false)
    await page.getByText("1 selected").waitFor()
  }))
