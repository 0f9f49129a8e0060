import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { callsTo } from "./calls.ts"
import { pathOf, visit, withBrowser } from "./harness.ts"

withBrowser()

const path = "/app/contacts"
const inView = (page: Page, tab: string) => page.getByRole("tab", { name: tab, selected: true }).waitFor()
const heading = (page: Page, name: string) => page.getByRole("heading", { name }).waitFor()

test("the visible part of a contact is in the URL, across next, reload, back and search", () =>
  visit({ mails: [{ subject: "First" }] }, async ({ page, server, row }) => {
    await row("First").waitFor()
    await callsTo(server).addContacts(2)
    await page.goto(`${server.url}${path}?sort=email&dir=asc`)
    await page.getByRole("link", { name: "ada@example.com" }).click()
    await page.getByRole("tab", { name: "Events" }).click()
    await inView(page, "Events")
    expect(new URL(page.url()).search).toBe("?sort=email&dir=asc&tab=events")
    await page.getByRole("button", { name: "Next contact" }).click()
    await heading(page, "p001@example.com")
    await inView(page, "Events")
    await page.reload()
    await heading(page, "p001@example.com")
    await inView(page, "Events")
    await page.getByLabel("Search contacts").fill("ada")
    await page.getByText("1 found").waitFor()
    await inView(page, "Events")
    await page.getByRole("link", { name: "ada@example.com" }).click()
    await heading(page, "ada@example.com")
    await page.getByRole("tab", { name: "Emails" }).click()
    await page.getByRole("link", { name: /First/ }).click()
    await page.getByRole("heading", { name: "First", level: 1 }).waitFor()
    await page.goBack()
    await heading(page, "ada@example.com")
    await inView(page, "Emails")
    await page.getByRole("button", { name: "Close", exact: true }).click()
    await page.getByRole("article", { name: "Contact" }).waitFor({ state: "detached" })
    expect(new URL(page.url()).search).toBe("?search=ada&sort=email&dir=asc")
  }))

test("a dialog closed while a contact is being added does not navigate afterwards", () =>
  visit({ path, allowed: /500/ }, async ({ page }) => {
    const dialog = page.getByRole("dialog", { name: "Add a contact" })
    const add = async (email: string) => {
      await page.getByRole("button", { name: "Add contact" }).first().click()
      await dialog.getByLabel("Email").fill(email)
      await dialog.getByRole("button", { name: "Add contact" }).click()
    }
    let { promise: allowed, resolve: answer } = Promise.withResolvers<void>()
    await page.route("**/contacts/lookup", async (route) => {
      await allowed
      await route.continue()
    })
    await page.getByRole("button", { name: "Add a contact" }).click()
    await dialog.getByLabel("Email").fill("ada@example.com")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "detached" })
    answer()
    await page.getByRole("alert").filter({ hasText: "ada@example.com added" }).waitFor()
    await page.getByRole("link", { name: "ada@example.com" }).waitFor()
    expect(pathOf(page)).toBe(path)

    ;({ promise: allowed, resolve: answer } = Promise.withResolvers<void>())
    await page.route("**/contacts", (route) => route.fulfill({ status: 500, body: "{}" }))
    await add("bo@example.com")
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "detached" })
    answer()
    await page.getByRole("alert").filter({ hasText: "Not done" }).waitFor()
    expect(pathOf(page)).toBe(path)
  }))

test("next to an open contact the bulk actions stay on one line", () =>
  visit({ path: null, viewport: { width: 1440, height: 800 } }, async ({ page, server }) => {
    await callsTo(server).addContacts(60)
    await page.goto(`${server.url}${path}?search=example`)
    await page.getByRole("link", { name: "p060@example.com" }).click()
    await heading(page, "p060@example.com")
    await page.getByLabel("Select all in the list").click()
    const tools = page.getByRole("toolbar", { name: "Selected contacts" })
    const [first, last] = await Promise.all(
      ["Select all 60", "Delete"].map((name) => tools.getByRole("button", { name }).boundingBox()),
    )
    expect(last?.y).toBeLessThan((first?.y ?? 0) + (first?.height ?? 0))
    expect(last?.x).toBeGreaterThan(first?.x ?? Number.NaN)
  }))

test("values have their own text direction, and a time has enough space in a narrow panel", () =>
  visit({ path: null, viewport: { width: 820, height: 760 } }, async ({ page, server }) => {
    const data = { city: "ירושלים, רחוב יפו", seen: "2026-01-31T10:20:30Z" }
    const { id } = await callsTo(server).post("/contacts", { email: "ada@example.com", data })
    await page.goto(`${server.url}${path}/${id}`)
    const direction = (name: string) =>
      page.getByLabel(name, { exact: true }).evaluate((element) => getComputedStyle(element).direction)
    expect([await direction("city"), await direction("seen")]).toEqual(["rtl", "ltr"])
    expect((await page.getByLabel("seen", { exact: true }).boundingBox())?.width).toBeGreaterThan(230)
    await page.setViewportSize({ width: 1440, height: 800 })
    await page.getByRole("button", { name: "Close", exact: true }).click()
    const cell = page.getByRole("cell", { name: data.city }).locator("[title], span").first()
    expect(await cell.evaluate((element) => getComputedStyle(element).direction)).toBe("rtl")
  }))

test("beside an open contact on a tablet the heading is one word, and the number of contacts is readable", () =>
  visit({ path: null, viewport: { width: 768, height: 1024 } }, async ({ page, server }) => {
    const { addContacts, contact } = callsTo(server)
    await addContacts(12)
    await page.goto(`${server.url}${path}/${(await contact("p001@example.com")).id}`)
    await heading(page, "p001@example.com")
    const title = page.getByRole("heading", { name: "Contacts", level: 1 })
    const lines = (of: HTMLElement) =>
      of.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(of).fontSize)
    expect(await title.evaluate(lines)).toBeLessThan(2)
    const summary = page.getByText("12 contacts", { exact: true })
    expect(await summary.evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0)
  }))

test("on a phone the button below the JSON of a contact is not cut", () =>
  visit({ path: null, viewport: { width: 375, height: 800 } }, async ({ page, server }) => {
    const { addContacts, contact } = callsTo(server)
    await addContacts(1)
    await page.goto(`${server.url}${path}/${(await contact("p001@example.com")).id}?tab=json`)
    const label = page.getByText("Format", { exact: true })
    await label.waitFor()
    expect(await label.evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0)
  }))

test("of many segments of a contact some are shown, so that its fields stay in view, and the others on request", () =>
  visit({ path: null, viewport: { width: 375, height: 800 } }, async ({ page, server }) => {
    const { addContacts, contact, post } = callsTo(server)
    await addContacts(1)
    for (let at = 1; at <= 40; at++) {
      const { id } = await post("/segments", { name: `A segment with number ${at}`, type: "STATIC" })
      await post(`/segments/${id}/members`, { emails: ["p001@example.com"] })
    }
    await page.goto(`${server.url}${path}/${(await contact("p001@example.com")).id}`)
    const others = page.getByRole("button", { name: "and 34 more" })
    await others.waitFor()
    expect((await page.getByRole("tab", { name: "Fields" }).boundingBox())?.y).toBeLessThan(700)
    await others.press("Enter")
    expect(await page.getByRole("link", { name: "A segment with number" }).count()).toBe(40)
    await page.getByRole("button", { name: "Show fewer" }).press("Enter")
    await others.waitFor()
  }))
