import type { Page } from "playwright-core"
import { callsTo } from "./calls.ts"
import { type VisitOptions, visit } from "./harness.ts"

export const body = (page: Page) => page.getByRole("textbox", { name: "Body" })
export const paper = (page: Page) => page.frameLocator("iframe[title='Mail preview']")
export const isSaved = (page: Page) => page.getByRole("status").filter({ hasText: "Saved just now" }).waitFor()

/** Replaces the whole body, as by pasting. */
export async function write(page: Page, html: string): Promise<void> {
  await body(page).click()
  await page.keyboard.press("Control+a")
  await page.keyboard.insertText(html)
}

/** Resolves once the element with this label or text has the focus. */
export const hasFocus = (page: Page, name: string) =>
  page.waitForFunction((wanted) => {
    const element = document.activeElement
    return (element?.getAttribute("aria-label") ?? element?.textContent) === wanted
  }, name)

type Use = (page: Page, tools: ReturnType<typeof callsTo> & { id: string; url: string }) => Promise<void>

/** The editor of a new template. */
export const withTemplate = (fields: Record<string, unknown>, use: Use, options: VisitOptions = {}) =>
  visit({ path: null, ...options }, async ({ page, server }) => {
    const calls = callsTo(server)
    const { id } = await calls.addTemplate(fields)
    await page.goto(`${server.url}/app/templates/${id}`)
    // A sign of somebody, with which the code editor is loaded at once.
    await page.keyboard.press("Shift")
    await body(page).waitFor({ state: "attached" })
    await use(page, { ...calls, id, url: server.url })
  })
