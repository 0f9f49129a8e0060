import { expect, test } from "bun:test"
import { faults, faultsAtSizes } from "./axe.ts"
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
  ["inbox, contacts and segments", /^\/(?:inbox|contacts|segments)/],
  ["events, campaigns, templates and domains", /^\/(?:events|campaigns|templates|domains)/],
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

test("the first tab stop skips the navigation", () =>
  visit({ path: "/app/templates" }, async ({ page }) => {
    await page.getByRole("heading", { level: 1 }).waitFor()
    await page.keyboard.press("Tab")
    const link = page.getByRole("link", { name: "Skip to the content" })
    expect(await link.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press("Enter")
    await page.keyboard.press("Tab")
    expect(await page.evaluate(() => document.activeElement?.closest("main") !== null)).toBe(true)
    expect(new URL(page.url()).pathname).toEndWith("/templates")
  }))
