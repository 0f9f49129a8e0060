import { expect, test } from "bun:test"
import type { Locator, Page } from "playwright-core"
import { callsTo } from "./calls.ts"
import { pathOf, visit, withBrowser } from "./harness.ts"

withBrowser()

const mails = [{ subject: "One" }, { subject: "Two" }, { subject: "Three" }]
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? "")
const heading = (page: Page, name: string) => page.getByRole("heading", { name, level: 1 }).waitFor()

test("j and k move, Enter opens, j opens the next mail, u returns to the row", () =>
  visit({ mails }, async ({ page, row }) => {
    await row("Three").waitFor()
    await page.keyboard.press("j")
    expect(await focused(page)).toContain("Three")
    await page.keyboard.press("j")
    await page.keyboard.press("ArrowDown")
    expect(await focused(page)).toContain("One")
    await page.keyboard.press("k")
    expect(await focused(page)).toContain("Two")
    expect(pathOf(page)).toBe("/app/inbox")
    await page.keyboard.press("Enter")
    await heading(page, "Two")
    await page.keyboard.press("j")
    await heading(page, "One")
    await page.keyboard.press("ArrowUp")
    await heading(page, "Two")
    await page.keyboard.press("u")
    await page.getByText("No message open").waitFor()
    await page.waitForFunction(() => document.activeElement?.textContent?.includes("Two"))
  }))

test("a mail that Tab has led into has a frame that shows it, as long as the focus is there; one that was clicked has not", () =>
  visit({ mails }, async ({ page, row }) => {
    await row("Three").click()
    await page.frameLocator("iframe").getByText("Hello").waitFor()
    const outline = (style: string) =>
      page.waitForFunction((wanted) => {
        const frame = document.querySelector("iframe")
        return frame && getComputedStyle(frame).outlineStyle === wanted
      }, style)
    await page.getByRole("tab", { name: "HTML" }).focus()
    for (let stops = 0; stops < 9; stops += 1) {
      await page.keyboard.press("Tab")
      if (await page.evaluate(() => document.activeElement?.tagName === "IFRAME")) break
    }
    await outline("solid")
    await page.getByRole("tab", { name: "HTML" }).focus()
    await outline("none")
    await page.keyboard.press("Tab")
    await page.frameLocator("iframe").getByText("Hello").click()
    await page.waitForFunction(() => document.activeElement?.tagName === "IFRAME")
    await outline("none")
  }))

test("slash searches, and Escape clears the text, then leaves the field", () =>
  visit({ mails }, async ({ page, row }) => {
    await row("Three").waitFor()
    await page.keyboard.press("/")
    await page.keyboard.type("two")
    await row("Three").waitFor({ state: "detached" })
    expect(await page.getByLabel("Search mail").inputValue()).toBe("two")
    await page.keyboard.press("Escape")
    await row("Three").waitFor()
    await page.keyboard.press("Escape")
    await page.keyboard.press("j")
    expect(await focused(page)).toContain("Three")
  }))

test("# deletes, and focuses the next row", () =>
  visit({ mails }, async ({ page, row }) => {
    await row("Three").waitFor()
    await page.keyboard.press("j")
    await page.keyboard.press("#")
    await row("Three").waitFor({ state: "detached" })
    await page.waitForFunction(() => document.activeElement?.textContent?.includes("Two"))
  }))

test("digits switch between the parts of the open mail", () =>
  visit({ mails }, async ({ page, row }) => {
    await row("Three").click()
    await page.getByRole("tab", { name: "HTML", selected: true }).waitFor()
    await page.keyboard.press("3")
    await page.getByRole("tab", { name: "Headers", selected: true }).waitFor()
    await page.keyboard.press("2")
    await page.getByRole("tab", { name: "Text", selected: true }).waitFor()
  }))

test("? lists the keys", () =>
  visit({ mails }, async ({ page, row }) => {
    await row("Three").waitFor()
    await page.keyboard.press("?")
    const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" })
    await dialog.getByText("Mark all as read").waitFor()
    await page.keyboard.press("j")
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "detached" })
    expect(pathOf(page)).toBe("/app/inbox")
  }))

test("? lists the keys of an open workflow, those with Ctrl too", () =>
  visit({ path: null }, async ({ page, server }) => {
    const { id } = await callsTo(server).post("/workflows", { name: "Welcome", eventName: "signup" })
    await page.goto(`${server.url}/app/workflows/${id}`)
    await page.getByRole("button", { name: /^Trigger/ }).press("?")
    const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" })
    for (const row of [/^Save\s*Ctrl S$/, /^Undo\s*Ctrl Z$/, /^From step to step/, /^Delete the chosen steps/])
      await dialog.locator("dl > div").filter({ hasText: row }).waitFor()
  }))

test("the palette runs commands by name and keeps the focus that they set", () =>
  visit({ mails }, async ({ page, row }) => {
    await row("Three").waitFor()
    await page.keyboard.press("j")
    await page.keyboard.press("Control+k")
    await page.getByRole("combobox", { name: "Command" }).fill("delete")
    await page.keyboard.press("Enter")
    await row("Three").waitFor({ state: "detached" })
    await page.waitForFunction(() => document.activeElement?.textContent?.includes("Two"))

    await page.keyboard.press("Control+k")
    await page.getByRole("combobox", { name: "Command" }).fill("search")
    await page.keyboard.press("Enter")
    await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Search mail")
  }))

test("the palette names the pages of the settings as they name themselves", () =>
  visit({ mails }, async ({ page, row }) => {
    await row("Three").waitFor()
    await page.keyboard.press("Control+k")
    await page.getByRole("combobox", { name: "Command" }).fill("settings: api")
    await page.getByText("Go to settings: API keys", { exact: true }).waitFor()
  }))

test("while a dialog is open no key reaches the page behind it, wherever the focus is", () =>
  visit({ mails }, async ({ page, row }) => {
    await row("Three").waitFor()
    await page.keyboard.press("j")
    await page.keyboard.press("?")
    const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" })
    await dialog.getByText("Mark all as read").waitFor()
    await page.waitForFunction(() => document.activeElement?.closest("[role=dialog]"))
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
    await page.keyboard.press("#")
    await page.keyboard.press("Enter")
    expect(await page.getByRole("dialog").count()).toBe(1)
    expect(pathOf(page)).toBe("/app/inbox")
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "detached" })
    await page.keyboard.press("#")
    await row("Three").waitFor({ state: "detached" })
  }))

test("long names without blanks make neither the palette nor the list of templates wider", () =>
  visit({ path: null, viewport: { width: 1440, height: 900 } }, async ({ page, server }) => {
    const calls = callsTo(server)
    const name = "W".repeat(100)
    await calls.addTemplate({ name })
    await page.goto(`${server.url}/app/campaigns`)
    const fits = async (list: Locator) => {
      await list.getByText(name).first().waitFor()
      const wider = (it: Element) =>
        [...it.querySelectorAll("*")].filter((one) => one.scrollWidth > it.clientWidth).length
      expect(await list.evaluate(wider)).toBe(0)
    }
    await page.getByRole("button", { name: "New campaign" }).click()
    await page.getByRole("combobox", { name: "Begin with" }).click()
    await fits(page.getByRole("listbox", { name: "Begin with" }))
    await page.keyboard.press("Escape")
    await page.keyboard.press("Escape")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await page.keyboard.press("Control+k")
    await page.getByRole("combobox", { name: "Command" }).fill("WWW")
    await fits(page.getByRole("dialog", { name: "Command palette" }))
  }))

test("a screen reader is told which entry of the palette is selected, and that there is none", () =>
  visit({ mails }, async ({ page, row }) => {
    await row("Three").waitFor()
    await page.keyboard.press("Control+k")
    const field = page.getByRole("combobox", { name: "Command" })
    await field.fill("theme")
    const options = page.getByRole("listbox", { name: "Commands and records" }).getByRole("option")
    const told = async (name: string) => {
      const selected = page.getByRole("option", { name, exact: true, selected: true })
      await selected.waitFor()
      expect(await page.getByRole("option", { selected: true }).count()).toBe(1)
      expect(await field.getAttribute("aria-activedescendant")).toBe((await selected.getAttribute("id")) ?? "no id")
    }
    await options.filter({ hasText: "Dark theme" }).waitFor()
    await told("Light theme")
    expect(await field.getAttribute("aria-expanded")).toBe("true")
    await page.keyboard.press("ArrowDown")
    await told("Dark theme")
    await field.fill("dark")
    await options.filter({ hasText: "Light theme" }).waitFor({ state: "detached" })
    await told("Dark theme")
    await field.fill("nothing of that kind")
    await page.getByRole("alert").filter({ hasText: "Nothing goes by that name" }).waitFor()
    expect(await field.getAttribute("aria-activedescendant")).toBeNull()
    await page.keyboard.press("Escape")
    await field.waitFor({ state: "detached" })
  }))
