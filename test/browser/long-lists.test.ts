import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { faults } from "./axe.ts"
import { callsTo } from "./calls.ts"
import { pathOf, visit, withBrowser } from "./harness.ts"
import type { TestServer } from "./sandbox-server.ts"

withBrowser()

const many = 260
/** A view of 800 px, and what is kept ready around it. */
const mostRows = 60

/** Does something many times, some at once. */
async function repeat(times: number, work: (number: number) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < times; from += 20)
    await Promise.all(Array.from({ length: Math.min(20, times - from) }, (_, at) => work(from + at)))
}

const addContacts = (server: TestServer) =>
  repeat(many, (at) => callsTo(server).post("/contacts", { email: `p${String(at).padStart(3, "0")}@x.test` }))

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? "")
const scrollToEnd = (page: Page, list: string) =>
  page.locator(list).evaluate((element) => element.scrollTo(0, element.scrollHeight))

/** Scrolls on until the text is there. */
async function scrollTo(page: Page, list: string, text: string): Promise<void> {
  const found = page.locator(list).getByText(text, { exact: true })
  while ((await found.count()) === 0) {
    await scrollToEnd(page, list)
    await page.waitForTimeout(50)
  }
}

test("a table of more than 200 rows has those in view, and keys lead through all of them", () =>
  visit({ path: null }, async ({ page, server }) => {
    await repeat(many, (at) =>
      callsTo(server).post("/segments", { name: `List ${String(at).padStart(3, "0")}`, type: "STATIC" }),
    )
    await page.goto(`${server.url}/app/segments?sort=name&dir=asc`)
    await page.getByText("260 segments").waitFor()
    const rows = page.getByRole("table", { name: "Segments" }).locator("tbody [data-row]")
    await page.waitForFunction((most) => document.querySelectorAll("[data-row]").length < most, mostRows)
    expect(await page.getByRole("table").getAttribute("aria-rowcount")).toBe("261")
    await page.keyboard.press("j")
    for (let step = 0; step < 80; step++) await page.keyboard.press("j")
    expect(await focused(page)).toBe("List 080")
    const row = page.getByRole("row").filter({ hasText: "List 080" })
    expect(await row.getAttribute("aria-rowindex")).toBe("82")
    expect(await rows.count()).toBeLessThan(mostRows)
    // The row with the focus stays while it is out of view: keys go on from it.
    await scrollTo(page, "section[aria-label='Segments']", "List 259")
    expect(await focused(page)).toBe("List 080")
    await page.keyboard.press("k")
    expect(await focused(page)).toBe("List 079")
    await page.keyboard.press("Enter")
    await page.getByRole("textbox", { name: "Name" }).waitFor()
  }))

test("contacts are loaded page by page without keeping all of their rows, and one leads back to its row", () =>
  visit({ path: null }, async ({ page, server }) => {
    await addContacts(server)
    await page.goto(`${server.url}/app/contacts?sort=email&dir=asc`)
    const rows = page.locator("[data-contact]")
    await page.getByText("260 contacts").waitFor()
    await scrollTo(page, "[data-contact-list]", "p259@x.test")
    await page.waitForFunction((most) => document.querySelectorAll("[data-contact]").length < most, mostRows)
    await page.getByRole("link", { name: "p258@x.test" }).click()
    await page.getByRole("heading", { name: "p258@x.test" }).waitFor()
    await page.keyboard.press("k")
    await page.getByRole("heading", { name: "p257@x.test" }).waitFor()
    await page.keyboard.press("u")
    await page.waitForFunction(() => document.activeElement?.textContent === "p257@x.test")
    expect(pathOf(page)).toBe("/app/contacts")
    expect(await rows.count()).toBeLessThan(mostRows)
    // What is ticked is ticked though its row is not there.
    await page.getByLabel("Select p259@x.test").click()
    await page.locator("[data-contact-list]").evaluate((element) => element.scrollTo(0, 0))
    await page.getByLabel("Select p000@x.test").click()
    await page.getByText("2 selected").waitFor()
  }))

test("a list that becomes longer than 200 rows while it is read stays where it is", () =>
  visit({ path: null }, async ({ page, server }) => {
    await addContacts(server)
    await page.goto(`${server.url}/app/contacts?sort=email&dir=asc`)
    await page.getByText("260 contacts").waitFor()
    const list = "[data-contact-list]"
    const back = await page.locator(list).evaluateHandle((element) => {
      const seen = { last: 0, most: 0 }
      element.addEventListener("scroll", () => {
        seen.most = Math.max(seen.most, seen.last - element.scrollTop)
        seen.last = element.scrollTop
      })
      return seen
    })
    await scrollTo(page, list, "p259@x.test")
    expect(await back.evaluate(({ most }) => most)).toBeLessThan(1_000)
  }))

test("an inbox of more than 200 mails has those in view under their day", () =>
  visit({ path: null }, async ({ page, server }) => {
    const send = (subject: string) =>
      callsTo(server).post("/v1/send", { to: "ada@x.test", from: "a@shop.test", subject, body: "<p>x</p>" })
    await send("The oldest")
    await repeat(many - 1, (at) => send(`Mail ${at}`))
    await page.goto(`${server.url}/app/inbox`)
    await page.getByText(/^260 messages/).waitFor()
    const rows = page.locator("[data-mail]")
    await scrollTo(page, "[data-mail-list]", "The oldest")
    await page.waitForFunction((most) => document.querySelectorAll("[data-mail]").length < most, mostRows)
    await scrollToEnd(page, "[data-mail-list]")
    await rows.last().click()
    await page.getByRole("article", { name: "Message" }).waitFor()
    const open = pathOf(page)
    await page.keyboard.press("k")
    await page.waitForFunction((before) => !location.pathname.endsWith(before), open.split("/").at(-1) ?? "")
    await page.keyboard.press("j")
    await page.waitForFunction((before) => location.pathname.endsWith(before), open.split("/").at(-1) ?? "")
    expect(await page.getByRole("heading", { name: "Today", level: 2 }).count()).toBe(1)
    expect(await rows.count()).toBeLessThan(mostRows)
  }))

const numbered = (at: number) => `n${String(at).padStart(3, "0")}`

/** Has the server know so many names of events, the first of which is the oldest. */
async function track(server: TestServer): Promise<void> {
  const add = (at: number) => callsTo(server).post("/events/track", { email: "ada@x.test", event: numbered(at) })
  await add(0)
  await repeat(many - 1, (at) => add(at + 1))
}

async function addFields(server: TestServer): Promise<void> {
  const data = Object.fromEntries(Array.from({ length: many }, (_, at) => [numbered(at), "x"]))
  await callsTo(server).post("/contacts", { email: "grace@x.test", data })
}

test.each([
  ["names of events", track, "/app/events/names", "section[aria-label='Names']"],
  ["fields", addFields, "/app/contacts/fields", "section[aria-label='Fields']"],
] as const)("%s of which there are more than 200 have those in view, and axe finds nothing", (_, add, path, list) =>
  visit({ path: null }, async ({ page, server }) => {
    await add(server)
    await page.goto(server.url + path)
    await page.locator("[data-toggle]").first().waitFor()
    await page.waitForFunction((most) => document.querySelectorAll("[data-toggle]").length < most, mostRows)
    expect(await faults(page)).toEqual([])
    await page.keyboard.press("j")
    for (let step = 0; step < 70; step++) await page.keyboard.press("j")
    const reached = await focused(page)
    await page.keyboard.press("Enter")
    expect(await page.locator("[data-toggle]:focus").getAttribute("aria-expanded")).toBe("true")
    await scrollTo(page, list, numbered(many - 1))
    expect(await focused(page)).toBe(reached)
    expect(await page.locator("[data-toggle]").count()).toBeLessThan(mostRows)
  }),
)

test("events of which there are more than 200 have those in view, and axe finds nothing", () =>
  visit({ path: null }, async ({ page, server }) => {
    await track(server)
    await page.goto(`${server.url}/app/events`)
    await scrollTo(page, "[data-feed]", numbered(0))
    await page.waitForFunction((most) => document.querySelectorAll("[data-event]").length < most, mostRows)
    expect(await page.getByRole("heading", { name: "Today", level: 2 }).count()).toBe(1)
    expect(await faults(page)).toEqual([])
  }))
