import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { faults, faultsAtSizes } from "./axe.ts"
import { callsTo } from "./calls.ts"
import { furnish } from "./furnish.ts"
import { loaded, moveTo, visit, withBrowser } from "./harness.ts"
import type { TestServer } from "./sandbox-server.ts"

withBrowser()

/** Creates content for every page; resolves to the paths of all pages. */
async function allPages(server: TestServer): Promise<readonly string[]> {
  const { mail, contact, segment, list, draft, report, workflow, execution, template, domain } = await furnish(server)
  return [
    "/inbox",
    mail,
    "/contacts",
    contact,
    `${contact}?tab=workflows`,
    "/contacts/fields",
    "/segments",
    "/segments/new",
    segment,
    list,
    "/events",
    "/events/names",
    "/campaigns",
    draft,
    report,
    "/workflows",
    workflow,
    `${workflow}/executions`,
    execution,
    "/templates",
    template,
    "/templates/missing",
    "/domains",
    domain,
  ]
}

/** A part of the pages each, so that a test ends in time on a slow machine. */
const areas = [
  ["inbox and contacts", /^\/(?:inbox|contacts)/],
  ["segments and events", /^\/(?:segments|events)/],
  ["campaigns, templates and domains", /^\/(?:campaigns|templates|domains)/],
  ["workflows", /^\/workflows/],
] as const

test.each(areas)("axe finds nothing on the pages of %s in both colour schemes (WCAG 2.2 AA)", (_, area) =>
  visit({ path: null, allowed: /404/ }, async ({ page, server }) => {
    const found: string[] = []
    const empty = ["/inbox", "/contacts", "/segments", "/events", "/campaigns", "/workflows", "/templates"]
    await page.goto(`${server.url}/app`)
    await loaded(page)
    for (const path of empty.filter((one) => area.test(one))) {
      await moveTo(page, `/app${path}`)
      expect(page.url()).toEndWith(path)
      found.push(...(await faults(page)).map((fault) => `empty ${path}: ${fault}`))
    }
    const filled = await allPages(server)
    await page.reload()
    await loaded(page)
    for (const path of filled.filter((one) => area.test(one))) {
      await moveTo(page, `/app${path}`)
      expect(page.url()).toEndWith(path)
      found.push(...(await faultsAtSizes(page)).map((fault) => `${path}: ${fault}`))
    }
    expect(found).toEqual([])
  }),
)

test("axe finds nothing while something is counted", () =>
  visit({ path: null }, async ({ page, server }) => {
    const { segment } = await furnish(server)
    const counted = Promise.withResolvers<void>()
    await page.route("**/segments/preview", async (route) => {
      await counted.promise
      await route.continue()
    })
    await page.goto(`${server.url}/app${segment}`)
    await page.getByRole("img", { name: "Counting" }).waitFor()
    expect(await faults(page)).toEqual([])
    counted.resolve()
    await page.getByRole("status", { name: "Matching contacts" }).waitFor()
  }))

const lowContrast = async (page: Page) => (await faults(page)).filter((fault) => fault.includes("color-contrast"))

test("the entries of a menu, the destructive ones too, are readable in both colour schemes", () =>
  visit({ path: null }, async ({ page, server }) => {
    await callsTo(server).addTemplate({ name: "Receipt" })
    await page.goto(`${server.url}/app/templates`)
    await page.getByRole("button", { name: "Actions for Receipt" }).click()
    await page.getByRole("menuitem", { name: "Delete" }).waitFor()
    expect(await lowContrast(page)).toEqual([])
  }))

test("the words between conditions are readable on every level of groups", () =>
  visit({ path: null }, async ({ page, server }) => {
    const filters = ["pro", "free"].map((value) => ({ field: "data.plan", operator: "equals", value }))
    const level = (below: number): object => ({
      logic: below % 2 ? "AND" : "OR",
      groups: [{ filters, ...(below > 0 && { conditions: level(below - 1) }) }, { filters }],
    })
    const { id } = await callsTo(server).post("/segments", { name: "Deep", condition: level(8) })
    await page.goto(`${server.url}/app/segments/${id}`)
    await loaded(page)
    expect(await lowContrast(page)).toEqual([])
  }))

test("initials are readable in their colour", () =>
  visit({ path: null }, async ({ page, server }) => {
    const calls = callsTo(server)
    // the colour follows from the name
    await calls.post("/contacts", { email: "person50@gmail.test", data: { name: "Çelik 50" } })
    const { id } = await calls.contact("person50@gmail.test")
    await page.goto(`${server.url}/app/contacts/${id}`)
    await page.getByRole("heading", { name: "person50@gmail.test" }).waitFor()
    expect(await lowContrast(page)).toEqual([])
  }))

test("the first tab stop skips the navigation", () =>
  visit({ path: "/app/templates" }, async ({ page }) => {
    await loaded(page)
    await page.keyboard.press("Tab")
    const link = page.getByRole("link", { name: "Skip to the content" })
    expect(await link.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press("Enter")
    await page.keyboard.press("Tab")
    expect(await page.evaluate(() => document.activeElement?.closest("main") !== null)).toBe(true)
    expect(new URL(page.url()).pathname).toEndWith("/templates")
  }))
