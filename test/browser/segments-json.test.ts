import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { withBrowser } from "./harness.ts"
import { all, counted, filter, withPeople } from "./segments-seed.ts"

withBrowser()

const path = "/app/segments"
const editor = (page: Page) => page.getByRole("textbox", { name: "Condition as JSON" })
const isSaved = (page: Page) => page.getByRole("status").filter({ hasText: "Saved just now" }).waitFor()

/** Replaces the whole text, as by pasting. */
async function write(page: Page, text: string): Promise<void> {
  await editor(page).click()
  await page.keyboard.press("Control+a")
  await page.keyboard.insertText(text)
}

test("JSON and conditions follow each other", () =>
  withPeople({}, async ({ page, server, calls }) => {
    const { id } = await calls.segment({}, filter("subscribed", "equals", true))
    await page.goto(`${server.url + path}/${id}`)
    await counted(page, 2)
    await page.getByLabel("Value").selectOption("no")
    await page.getByRole("tab", { name: "JSON" }).click()
    await editor(page).filter({ hasText: '"value": false' }).waitFor()
    const condition = {
      logic: "OR",
      groups: [
        { filters: [filter("data.plan", "equals", "pro"), filter("data.score", "gt", 5)] },
        { filters: [filter("email", "contains", "bo@")] },
      ],
    }
    await write(page, JSON.stringify(condition))
    await counted(page, 2)
    await page.getByRole("tab", { name: "Conditions" }).click()
    await page.getByRole("button", { name: "Field: plan" }).waitFor()
    expect(await page.getByLabel("Joined by").last().inputValue()).toBe("OR")
    expect(await page.locator("[data-rule]").count()).toBe(3)
    await page.keyboard.press("Control+s")
    await isSaved(page)
    // unchanged, because nothing was changed in the builder
    expect((await calls.get(`/segments/${id}`)).condition).toEqual(condition)
  }))

test("an error in the JSON is shown at its position, and the conditions link to it", () =>
  withPeople({}, async ({ page, server, calls }) => {
    const { id } = await calls.segment({}, filter("subscribed", "equals", true))
    await page.goto(`${server.url + path}/${id}`)
    await page.getByRole("tab", { name: "JSON" }).click()
    await write(page, '{\n"logic": "AND",\n"groups": [ }')
    const faults = page.getByRole("list", { name: "What is wrong" })
    await faults.getByText("A value is expected here.").waitFor()
    await page.locator(".cm-lintRange-error").filter({ hasText: "}" }).waitFor()
    await page.getByText("Once the JSON can be read").waitFor()
    await faults.getByRole("button", { name: /^Line 3/ }).click()
    await page.waitForFunction(() => document.activeElement?.classList.contains("cm-content"))
    await page.getByRole("tab", { name: "Conditions" }).click()
    await page.getByText("The JSON cannot be shown as conditions.").waitFor()
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Not complete yet").waitFor()
    await page.getByRole("button", { name: "Back to the JSON" }).click()
    await editor(page).waitFor()
    expect((await calls.get(`/segments/${id}`)).condition).toEqual(all(filter("subscribed", "equals", true)))
  }))

test("all faults found by the server are shown at their positions", () =>
  withPeople({ allowed: /400/ }, async ({ page, server, calls }) => {
    const { id } = await calls.segment({}, filter("subscribed", "equals", true))
    await page.goto(`${server.url + path}/${id}`)
    await page.getByRole("tab", { name: "JSON" }).click()
    const wrong = all(
      filter("subscribed", "near", true),
      filter("createdAt", "equals", "soon"),
      filter("plan", "equals", "pro"),
    )
    await write(page, JSON.stringify(wrong, null, 2))
    const faults = page.getByRole("list", { name: "What is wrong" }).getByRole("listitem")
    await faults.nth(2).waitFor()
    expect(await page.locator(".cm-lintRange-error").allTextContents()).toEqual(['"near"', '"soon"', '"plan"'])
    await page.getByText("The server does not take this condition").waitFor()
    await page.getByRole("tab", { name: "Conditions" }).click()
    await page.getByText("The JSON cannot be shown as conditions.").waitFor()
  }))

test("fields and their operators are suggested inside quotes", () =>
  withPeople({ allowed: /400/ }, async ({ page, server, calls }) => {
    const { id } = await calls.segment({}, filter("subscribed", "equals", true))
    await page.goto(`${server.url + path}/${id}`)
    await page.getByRole("tab", { name: "JSON" }).click()
    await editor(page).click()
    await page.keyboard.press("Control+a")
    await page.keyboard.type('{ "field": "event.pu')
    await page.locator(".cm-tooltip-autocomplete li").filter({ hasText: "event.purchase" }).click()
    await editor(page).filter({ hasText: '"event.purchase"' }).waitFor()
    await page.keyboard.press("ArrowRight")
    await page.keyboard.type(', "operator": "trig')
    await page.locator(".cm-tooltip-autocomplete li").filter({ hasText: "triggeredWithin" }).first().waitFor()
    expect(await page.locator(".cm-tooltip-autocomplete li").filter({ hasText: "contains" }).count()).toBe(0)
  }))

test("digits switch between the parts, and a link to a deleted segment shows that it does not exist", () =>
  withPeople({ allowed: /404/ }, async ({ page, server, calls }) => {
    const { id } = await calls.segment({}, filter("subscribed", "equals", true))
    await page.goto(`${server.url + path}/${id}`)
    await counted(page, 2)
    await page.keyboard.press("2")
    await page.getByRole("tab", { name: "JSON", selected: true }).waitFor()
    await page.keyboard.press("3")
    await page.getByRole("table", { name: "Members" }).waitFor()
    await page.keyboard.press("1")
    await page.getByRole("tab", { name: "Conditions", selected: true }).waitFor()
    await page.goto(`${server.url + path}/${Bun.randomUUIDv7()}`)
    await page.getByText("This segment is not here").waitFor()
    await page.getByRole("button", { name: "All segments" }).click()
    await page.getByText("1 segment", { exact: true }).waitFor()
  }))

test("on a phone the button below the JSON of a segment is not cut", () =>
  withPeople({}, async ({ page, server, calls }) => {
    const { id } = await calls.segment({}, filter("subscribed", "equals", true))
    await page.setViewportSize({ width: 375, height: 800 })
    await page.goto(`${server.url + path}/${id}`)
    await page.getByRole("tab", { name: "JSON" }).click()
    const label = page.getByText("Format", { exact: true })
    await label.waitFor()
    expect(await label.evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0)
  }))
