import { expect, test } from "bun:test"
import { faults } from "./axe.ts"
import { callsTo } from "./calls.ts"
import { visit, withBrowser } from "./harness.ts"
import type { TestServer } from "./sandbox-server.ts"

withBrowser()

/** Creates content for every page; resolves to the paths of all pages. */
async function furnish(server: TestServer): Promise<readonly string[]> {
  const calls = callsTo(server)
  await calls.post("/contacts", { email: "ada@acme.test", data: { plan: "pro", since: "2026-01-31" } })
  const { id: person } = await calls.contact("ada@acme.test")
  await calls.post("/events/track", { email: "ada@acme.test", event: "purchase", data: { total: 3 } })
  const condition = { logic: "AND", groups: [{ filters: [{ field: "data.plan", operator: "equals", value: "pro" }] }] }
  const { id: segment } = await calls.post("/segments", { name: "Pros", condition })
  const { id: list } = await calls.post("/segments", { name: "Press", type: "STATIC" })
  await calls.post(`/segments/${list}/members`, { emails: ["ada@acme.test"] })
  const { id: template } = await calls.addTemplate({})
  const campaign = {
    name: "June",
    subject: "News",
    body: '<p>Hello</p><a href="https://shop.test">Shop</a>',
    from: "hello@shop.test",
    audienceType: "ALL",
  }
  const { data: draft } = await calls.post("/campaigns", campaign)
  const { data: sent } = await calls.post("/campaigns", campaign)
  await calls.post(`/campaigns/${sent.id}/send`, {})
  const { id: domain } = await calls.post("/domains", { domain: "shop.test" })
  const { id: workflow, steps } = await calls.post("/workflows", { name: "Welcome", eventName: "signup" })
  const add = (type: string, name: string, config: unknown) =>
    calls.post(`/workflows/${workflow}/steps`, { type, name, config, autoConnect: false })
  const { id: plan } = await add("CONDITION", "Pro?", { field: "data.plan", operator: "equals", value: "pro" })
  const { id: rest } = await add("DELAY", "A day", { amount: 1, unit: "days" })
  await calls.post(`/workflows/${workflow}/transitions`, { fromStepId: steps[0].id, toStepId: plan })
  await calls.post(`/workflows/${workflow}/transitions`, { fromStepId: plan, toStepId: rest, branch: "yes" })
  await calls.patch(`/workflows/${workflow}`, { enabled: true })
  const { id: execution } = await calls.post(`/workflows/${workflow}/executions`, { contactId: person })
  const mail = await server.sendMail({ subject: "Receipt", attachments: [file] })
  return [
    "/inbox",
    `/inbox/${mail}`,
    "/contacts",
    `/contacts/${person}`,
    `/contacts/${person}?tab=workflows`,
    "/contacts/fields",
    "/segments",
    "/segments/new",
    `/segments/${segment}`,
    `/segments/${list}`,
    "/events",
    "/events/names",
    "/campaigns",
    `/campaigns/${draft.id}`,
    `/campaigns/${sent.id}`,
    "/workflows",
    `/workflows/${workflow}`,
    `/workflows/${workflow}/executions`,
    `/workflows/${workflow}/executions/${execution}`,
    "/templates",
    `/templates/${template}`,
    "/templates/missing",
    "/domains",
    `/domains/${domain}`,
  ]
}

const file = { filename: "a.txt", contentType: "text/plain", content: "aGVsbG8=" }
const sizes = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]

/** A part of the pages each, so that a test ends in time on a slow machine. */
const areas = [
  ["inbox, contacts and segments", /^\/(?:inbox|contacts|segments)/],
  ["events, campaigns, templates and domains", /^\/(?:events|campaigns|templates|domains)/],
  ["workflows", /^\/workflows/],
] as const

test.each(areas)("axe finds nothing on the pages of %s in both colour schemes (WCAG 2.2 AA)", (_, area) =>
  visit({ path: null, alone: true, allowed: /404/ }, async ({ page, server }) => {
    const found: string[] = []
    const empty = ["/inbox", "/contacts", "/segments", "/events", "/campaigns", "/workflows", "/templates"]
    for (const path of empty.filter((one) => area.test(one))) {
      await page.goto(`${server.url}/app${path}`)
      await page.waitForLoadState("networkidle")
      found.push(...(await faults(page)).map((fault) => `empty ${path}: ${fault}`))
    }
    for (const path of (await furnish(server)).filter((one) => area.test(one))) {
      await page.goto(`${server.url}/app${path}`)
      await page.getByRole("heading", { level: 1 }).first().waitFor()
      await page.waitForFunction(
        () => !document.querySelector("[aria-label='Loading'], [aria-label='Loading the editor']"),
      )
      for (const size of sizes) {
        await page.setViewportSize(size)
        found.push(...(await faults(page)).map((fault) => `${size.width} ${path}: ${fault}`))
      }
    }
    expect(found).toEqual([])
  }),
)

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
