import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { callsTo } from "./calls.ts"
import { pathOf, visit, withBrowser } from "./harness.ts"

withBrowser()

const path = "/app/contacts"
const row = (page: Page, email: string) => page.getByRole("row").filter({ hasText: email })
const emails = (page: Page) => page.locator("[data-contact]").allTextContents()

test("the page without contacts explains how to add them, with the project's own key", () =>
  visit({ path }, async ({ page, server }) => {
    await page.getByRole("heading", { name: "Nobody here yet" }).waitFor()
    const command = await page.getByRole("region", { name: "curl command" }).textContent()
    expect(command).toContain(`${server.url}/contacts`)
    expect(command).toContain("sk_sandbox")
    await page.getByRole("button", { name: "Import a CSV file" }).click()
    await page.getByRole("dialog", { name: "Import contacts" }).waitFor()
  }))

test("the navigation opens contacts and the inbox", () =>
  visit({ mails: [{ subject: "One" }] }, async ({ page, row }) => {
    await row("One").waitFor()
    await page.getByRole("link", { name: "Contacts" }).click()
    await page.getByRole("link", { name: "ada@example.com" }).waitFor()
    expect(await page.title()).toBe("Contacts · Mailstead")
    await page.getByRole("link", { name: "Inbox" }).click()
    await row("One").waitFor()
  }))

test("contacts are listed newest first, with their most common fields and the total", () =>
  visit({ path: null }, async ({ page, server }) => {
    const { post } = callsTo(server)
    await post("/contacts", { email: "ada@example.com", data: { plan: "pro", vip: true, score: 41.5 } })
    await post("/contacts", { email: "bo@example.com", subscribed: false, data: { plan: "free" } })
    await page.goto(server.url + path)
    await page.getByText("2 contacts").waitFor()
    expect(await emails(page)).toEqual(["bo@example.com", "ada@example.com"])
    expect(await row(page, "bo@example.com").textContent()).toContain("Unsubscribed")
    await row(page, "ada@example.com").getByText("41.5").waitFor()
    await row(page, "ada@example.com").getByText("Yes").waitFor()
    await page.getByRole("columnheader", { name: "plan" }).waitFor()

    await page.getByRole("button", { name: "Columns" }).click()
    await page.getByRole("menuitemcheckbox", { name: "plan" }).click()
    await page.getByRole("columnheader", { name: "plan" }).waitFor({ state: "detached" })
    await page.reload()
    await page.getByRole("columnheader", { name: "score" }).waitFor()
    expect(await page.getByRole("columnheader", { name: "plan" }).count()).toBe(0)
  }))

test("the initial columns stay when other fields become more common, and all stay visible", () =>
  visit({ path: null, viewport: { width: 820, height: 700 } }, async ({ page, server }) => {
    const { post } = callsTo(server)
    const data = { bio: "very ".repeat(40), city: "Oslo", plan: "x".repeat(120) }
    await post("/contacts", { email: `${"long.".repeat(11)}ada@example.com`, data })
    await page.goto(server.url + path)
    const heads = () => page.getByRole("columnheader").allTextContents()
    await page.getByRole("columnheader", { name: "plan" }).waitFor()
    for (const name of ["bo", "cy"]) {
      await post("/contacts", {
        email: `${name}@example.com`,
        data: { a: 1, b: 2, c: 3, seen: "2026-01-31T10:00:00Z" },
      })
    }
    await page.reload()
    await page.getByRole("link", { name: "cy@example.com" }).waitFor()
    expect((await heads()).slice(3, -1)).toEqual(["bio", "city", "plan"])
    for (const width of [820, 1280]) {
      await page.setViewportSize({ width, height: 700 })
      const added = await page.getByRole("columnheader", { name: "Added" }).boundingBox()
      expect((added?.x ?? Number.NaN) + (added?.width ?? 0)).toBeLessThanOrEqual(width)
    }
  }))

test("search, filter and order are in the URL, and matches are counted", () =>
  visit({ path: null }, async ({ page, server }) => {
    const { post } = callsTo(server)
    for (const email of ["carol@north.test", "ada@example.com", "bo@north.test"]) await post("/contacts", { email })
    await post("/contacts", { email: "dan@north.test", subscribed: false })
    await page.goto(server.url + path)
    await page.getByText("4 contacts").waitFor()

    await page.getByLabel("Search contacts").fill("NORTH")
    await page.getByText("3 found").waitFor()
    await page.getByText("Subscribed", { exact: true }).first().click()
    await page.getByText("2 found").waitFor()
    await page.getByRole("button", { name: "Email" }).click()
    await page.getByRole("columnheader", { name: "Email" }).and(page.locator("[aria-sort=ascending]")).waitFor()
    expect(await emails(page)).toEqual(["bo@north.test", "carol@north.test"])
    expect(new URL(page.url()).search).toBe("?search=NORTH&subscribed=true&sort=email&dir=asc")

    await page.reload()
    await page.getByText("2 found").waitFor()
    expect(await page.getByLabel("Search contacts").inputValue()).toBe("NORTH")
    await page.getByLabel("Search contacts").fill("nobody")
    await page.getByRole("button", { name: "Show all contacts" }).click()
    await page.getByText("4 contacts").waitFor()
    expect(await page.getByLabel("Search contacts").inputValue()).toBe("")
  }))

test("more contacts are loaded while scrolling, each of them once", () =>
  visit({ path: null }, async ({ page, server }) => {
    await callsTo(server).addContacts(120)
    await page.goto(server.url + path)
    await page.getByText("120 contacts").waitFor()
    expect(await page.locator("[data-contact]").count()).toBeLessThan(120)
    await page.waitForFunction(() => {
      const list = document.querySelector("[data-contact-list]")
      list?.scrollTo(0, list.scrollHeight)
      return document.querySelectorAll("[data-contact]").length >= 120
    })
    const shown = await emails(page)
    expect(shown).toHaveLength(120)
    expect(new Set(shown).size).toBe(120)
  }))

test("a list that cannot be loaded shows an error and can be retried", () =>
  visit({ path: "/app/inbox", allowed: /500/ }, async ({ page, server }) => {
    await callsTo(server).addContacts(1)
    await page.route("**/contacts?*", (route) => route.fulfill({ status: 500, body: "{}" }))
    await page.getByRole("link", { name: "Contacts" }).click()
    await page.getByRole("alert").getByText("The server answered 500.").waitFor()
    await page.unroute("**/contacts?*")
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByRole("link", { name: "p001@example.com" }).waitFor()
  }))

test("the keyboard moves, opens, selects and goes back", () =>
  visit({ path: null }, async ({ page, server }) => {
    await callsTo(server).addContacts(3)
    await page.goto(server.url + path)
    await page.getByRole("link", { name: "p003@example.com" }).waitFor()
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await page.keyboard.press("j")
    await page.keyboard.press("j")
    expect(await focused()).toBe("p002@example.com")
    await page.keyboard.press("x")
    await page.getByText("1 selected").waitFor()
    await page.keyboard.press("Escape")
    await page.getByText("1 selected").waitFor({ state: "detached" })
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "p002@example.com" }).waitFor()
    await page.keyboard.press("j")
    await page.getByRole("heading", { name: "p001@example.com" }).waitFor()
    await page.keyboard.press("u")
    await page.getByRole("article", { name: "Contact" }).waitFor({ state: "detached" })
    await page.waitForFunction(() => document.activeElement?.textContent === "p001@example.com")
    await page.keyboard.press("/")
    await page.keyboard.type("p003")
    await page.getByText("1 found").waitFor()
  }))

test("contacts of another project are not shown", () =>
  visit({ projects: 2, path: null }, async ({ page, server }) => {
    await callsTo(server, 0).addContacts(1)
    await callsTo(server, 1).post("/contacts", { email: "other@example.com" })
    await page.goto(server.url + path)
    await page.getByRole("link", { name: "p001@example.com" }).click()
    await page.getByRole("heading", { name: "p001@example.com" }).waitFor()
    await page.getByRole("button", { name: /Project Sandbox, switch/ }).click()
    await page.getByRole("menuitemradio", { name: "Project 2" }).click()
    await page.getByRole("link", { name: "other@example.com" }).waitFor()
    expect(await emails(page)).toEqual(["other@example.com"])
    expect(pathOf(page)).toBe(path)
  }))

test("a narrow screen shows either list or contact, and nothing is wider than the screen", () => {
  const phone = { width: 380, height: 780 }
  return visit({ path: null, viewport: phone, hasTouch: true }, async ({ page, server }) => {
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    const { post } = callsTo(server)
    await post("/contacts", { email: "ada@example.com", data: { plan: "pro", profile: { tier: { name: "gold" } } } })
    await page.goto(server.url + path)
    await page.getByRole("link", { name: "ada@example.com" }).tap()
    await page.getByLabel("plan", { exact: true }).waitFor()
    expect(await overflow()).toBe(0)
    await page.getByRole("button", { name: "Back to the list" }).tap()
    await page.getByLabel("Search contacts").fill("ada")
    await page.getByText("1 found").waitFor()
    expect(await overflow()).toBe(0)
    await page.getByRole("link", { name: "Fields" }).tap()
    await page.getByRole("button", { name: "plan", exact: true }).tap()
    await page.getByText("{{plan}}").waitFor()
    expect(await overflow()).toBe(0)
  })
})

test("where columns are hidden the order is chosen from a menu, including the default", () =>
  visit({ path: null, viewport: { width: 390, height: 780 }, hasTouch: true }, async ({ page, server }) => {
    const { post } = callsTo(server)
    for (const email of ["carol@north.test", "ada@example.com", "bo@north.test"]) await post("/contacts", { email })
    await page.goto(server.url + path)
    const order = async (name: string, first: string) => {
      await page.getByRole("button", { name: "Order" }).tap()
      await page.getByRole("menuitemradio", { name }).tap()
      await page.waitForFunction((email) => document.querySelector("[data-contact]")?.textContent === email, first)
    }
    await order("Email, from A to Z", "ada@example.com")
    expect(new URL(page.url()).search).toBe("?sort=email&dir=asc")
    await order("Oldest first", "carol@north.test")
    await order("Newest first", "bo@north.test")
    expect(new URL(page.url()).search).toBe("")
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
  }))
