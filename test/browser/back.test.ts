import { expect, test } from "bun:test"
import { callsTo } from "./calls.ts"
import { loaded, pathOf, visit, withBrowser } from "./harness.ts"

withBrowser()

test("going back closes an open dialog and stays on its page; the next step leaves it", () =>
  visit({ path: null }, async ({ page, server }) => {
    await callsTo(server).addTemplate({ name: "Receipt" })
    await page.goto(`${server.url}/app/contacts`)
    await loaded(page)
    await page.getByRole("link", { name: "Templates" }).click()
    const add = page.getByRole("button", { name: "New template" })
    await add.click()
    const dialog = page.getByRole("dialog", { name: "New template" })
    await page.waitForFunction(() => document.activeElement?.closest("[role=dialog] [data-autofocus]"))
    await page.goBack()
    await dialog.waitFor({ state: "detached" })
    expect(pathOf(page)).toBe("/app/templates")
    await page.waitForFunction(() => document.activeElement?.textContent?.includes("New"))
    await page.goBack()
    await page.getByRole("heading", { name: "Contacts", level: 1 }).waitFor()
  }))

test("going back closes the navigation of a phone, and the question about unsaved changes", () =>
  visit({ path: null, viewport: { width: 390, height: 844 } }, async ({ page, server }) => {
    const { id } = await callsTo(server).addTemplate({ name: "Receipt" })
    await page.goto(`${server.url}/app/contacts`)
    await loaded(page)
    const menu = page.getByRole("button", { name: "Open navigation" })
    const navigation = page.getByRole("dialog", { name: "Navigation" })
    await menu.click()
    await navigation.getByRole("link", { name: "Templates" }).click()
    await navigation.waitFor({ state: "detached" })
    await menu.click()
    await page.waitForFunction(() => document.activeElement?.closest("[aria-modal=true]"))
    await page.goBack()
    await navigation.waitFor({ state: "detached" })
    expect(pathOf(page)).toBe("/app/templates")
    await page.getByRole("link", { name: "Receipt" }).click()
    await page.getByLabel("Subject").fill("Not saved")
    await page.goBack()
    const question = page.getByRole("dialog", { name: "Leave without saving?" })
    await page.waitForFunction(() => document.activeElement?.closest("[aria-modal=true]"))
    await page.goBack()
    await question.waitFor({ state: "detached" })
    expect(pathOf(page)).toBe(`/app/templates/${id}`)
    expect(await page.getByLabel("Subject").inputValue()).toBe("Not saved")
    await page.goBack()
    await question.getByRole("button", { name: "Leave" }).click()
    await page.getByRole("heading", { name: "Templates", level: 1 }).waitFor()
    expect(pathOf(page)).toBe("/app/templates")
  }))
