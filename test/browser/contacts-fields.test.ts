import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { callsTo } from "./calls.ts"
import { visit, withBrowser } from "./harness.ts"

withBrowser()

const path = "/app/contacts/fields"
const row = (page: Page, name: string) =>
  page.getByRole("row").filter({ has: page.getByRole("button", { name, exact: true }) })

test("the page without custom fields explains how they are created", () =>
  visit({ path }, async ({ page }) => {
    await page.getByRole("heading", { name: "No custom fields yet" }).waitFor()
    await page.getByRole("link", { name: "People" }).click()
    await page.getByRole("heading", { name: "Nobody here yet" }).waitFor()
  }))

test("the catalogue shows every field with its type, its coverage, its values and what uses it", () =>
  visit({ path: null }, async ({ page, server }) => {
    const { post } = callsTo(server)
    await post("/contacts", { email: "a@example.com", data: { plan: "pro", score: 3, "first name": "Ada" } })
    await post("/contacts", { email: "b@example.com", data: { plan: "free", vip: true } })
    await post("/contacts", { email: "c@example.com", data: { plan: "pro", since: "2026-01-31" } })
    await page.goto(server.url + path)
    await page.getByText("5 custom fields").waitFor()
    expect(await row(page, "plan").textContent()).toBe("planText100%")
    expect(await row(page, "score").textContent()).toBe("scoreNumber33%")
    expect(await row(page, "since").textContent()).toBe("sinceDate33%")
    expect(await row(page, "vip").textContent()).toBe("vipYes or no33%")
    expect(
      await row(page, "email")
        .getByRole("button", { name: /Delete/ })
        .count(),
    ).toBe(0)

    await page.getByRole("button", { name: "plan", exact: true }).click()
    await page.getByText("{{plan}}").waitFor()
    await page.getByRole("listitem").filter({ hasText: "free" }).waitFor()
    expect(await page.getByRole("definition").getByRole("listitem").allTextContents()).toEqual(["free", "pro"])
    await page.getByText("No segment, campaign or workflow").waitFor()
    await page.getByRole("button", { name: "first name", exact: true }).click()
    await page.getByText("{{[first name]}}").waitFor()
    await page.getByText("{{plan}}").waitFor({ state: "detached" })
  }))

test("a field of few among many contacts is not shown as 0%", () =>
  visit({ path: null }, async ({ page, server }) => {
    await callsTo(server).post("/contacts", { email: "a@example.com", data: { plan: "pro" } })
    const asks = (path: string) => (url: URL) => url.pathname === path
    await page.route(asks("/contacts/fields"), async (route) => {
      const field = { field: "data.plan", type: "string", isCustom: true, coverage: 0 }
      await route.fulfill({ json: { fields: [field] } })
    })
    let total = 30_001
    await page.route(asks("/contacts"), async (route) => {
      const real = await (await route.fetch()).json()
      await route.fulfill({ json: { ...real, total } })
    })
    await page.goto(server.url + path)
    await row(page, "plan").getByText("< 0.01%").waitFor()
    total = 9_000
    await page.reload()
    await row(page, "plan").getByText("0%", { exact: true }).waitFor()
  }))

test("a field that templates cannot use is marked", () =>
  visit({ path: null }, async ({ page, server }) => {
    await callsTo(server).post("/contacts", { email: "a@example.com", data: { if: 1, "a]b": 2 } })
    await page.goto(server.url + path)
    const variableOf = async (name: string) => {
      await page.getByRole("button", { name, exact: true }).click()
      return page.getByRole("definition").first().textContent()
    }
    expect(await variableOf("if")).toBe("{{data.if}}")
    expect(await variableOf("a]b")).toBe("None: a tag cannot hold this name")
    expect(await variableOf("createdAt")).toBe("None")
    expect(await variableOf("email")).toBe("{{email}}")
  }))

test("a long field name leaves the other columns visible", () =>
  visit({ path: null }, async ({ page, server }) => {
    await callsTo(server).post("/contacts", { email: "a@example.com", data: { ["long".repeat(63)]: 1, plan: "pro" } })
    await page.goto(server.url + path)
    const bin = page.getByRole("button", { name: "Delete plan" })
    await bin.waitFor()
    const box = await bin.boundingBox()
    expect((box?.x ?? Number.NaN) + (box?.width ?? Number.NaN)).toBeLessThan(1280)
    await row(page, "plan").getByText("100%").waitFor()
    expect((await row(page, "plan").boundingBox())?.width).toBeLessThanOrEqual(1280 - 232)
  }))

test("a field is deleted from all contacts, after showing how many have it", () =>
  visit({ path: null }, async ({ page, server }) => {
    const { post, contact } = callsTo(server)
    await post("/contacts", { email: "a@example.com", data: { plan: "pro", score: 3 } })
    await post("/contacts", { email: "b@example.com", data: { plan: "free" } })
    await page.goto(server.url + path)
    await page.getByRole("button", { name: "Delete plan" }).click()
    const dialog = page.getByRole("dialog", { name: "Delete the field plan?" })
    await dialog.getByText("2 contacts will lose the value. This cannot be undone.").waitFor()
    await dialog.getByRole("button", { name: "Keep" }).click()
    await dialog.waitFor({ state: "detached" })
    expect((await contact("a@example.com")).data.plan).toBe("pro")

    await page.getByRole("button", { name: "Delete plan" }).click()
    await dialog.getByRole("button", { name: "Delete field" }).click()
    await page.getByText("plan deleted from 2 contacts").waitFor()
    await row(page, "plan").waitFor({ state: "detached" })
    expect((await contact("a@example.com")).data).toEqual({ score: 3 })
    expect((await contact("b@example.com")).data).toEqual({})
    await page.getByRole("link", { name: "People" }).click()
    await page.getByRole("columnheader", { name: "score" }).waitFor()
    expect(await page.getByRole("columnheader", { name: "plan" }).count()).toBe(0)
  }))

test("the users of a field are named before it is deleted", () =>
  visit({ path: null }, async ({ page, server }) => {
    await callsTo(server).post("/contacts", { email: "a@example.com", data: { plan: "pro" } })
    await page.route("**/contacts/fields/*/usage", async (route) => {
      const real = await (await route.fetch()).json()
      await route.fulfill({ json: { ...real, usedInSegments: [{ id: "1", name: "Pros" }] } })
    })
    await page.goto(server.url + path)
    await page.getByRole("button", { name: "Delete plan" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByText("used by segment “Pros”. Whatever uses it stays, and matches nothing").waitFor()
    await dialog.getByRole("button", { name: "Keep" }).click()
    await dialog.waitFor({ state: "detached" })
    await page.getByRole("button", { name: "plan", exact: true }).click()
    expect(await page.getByRole("link", { name: "Pros" }).getAttribute("href")).toEndWith("/segments/1")
  }))

test("fields are sorted with natural numbers, and many of them can be searched", () =>
  visit({ path: null }, async ({ page, server }) => {
    const numbered = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`Field ${at + 1}`, at]))
    const { post } = callsTo(server)
    await post("/contacts", { email: "a@example.com", data: { ...numbered, extra: "x" } })
    await page.goto(server.url + path)
    await page.getByText("12 custom fields").waitFor()
    const names = () => page.locator("[data-toggle]").allTextContents()
    expect((await names()).slice(0, 4)).toEqual(["extra", "Field 1", "Field 2", "Field 3"])
    expect(await page.getByLabel("Search fields").count()).toBe(0)

    await post("/contacts", { email: "a@example.com", data: { fiend: "y" } })
    await page.reload()
    await page.getByText("13 custom fields").waitFor()
    await page.keyboard.press("/")
    await page.keyboard.type(" FIE")
    await page.getByRole("button", { name: "extra", exact: true }).waitFor({ state: "detached" })
    expect((await names()).slice(-3)).toEqual(["Field 10", "Field 11", "fiend"])
    await page.getByLabel("Search fields").fill("none of them")
    await page.getByRole("button", { name: "Show all fields" }).click()
    await page.getByRole("button", { name: "extra", exact: true }).waitFor()
    await page.getByRole("button", { name: "email", exact: true }).waitFor()
  }))
