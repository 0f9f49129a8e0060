import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { callsTo } from "./calls.ts"
import { visit, withBrowser } from "./harness.ts"

withBrowser()

const lists = /^\/(inbox|emails|contacts|segments|events|campaigns|templates)$/

/** The lists that a page asks the server for; one row is no list, it tells a total. */
async function listsOf(page: Page, address: string): Promise<string[]> {
  const asked = new Set<string>()
  let isCounted = false
  const note = (url: URL) => {
    if (lists.test(url.pathname) && !["limit", "pageSize"].some((name) => url.searchParams.get(name) === "1"))
      asked.add(url.pathname)
    isCounted ||= url.pathname === "/inbox/unread"
  }
  page.on("request", (request) => {
    if (request.method() === "GET" && request.resourceType() === "fetch") note(new URL(request.url()))
  })
  await page.goto(address)
  await page.getByRole("heading", { level: 1 }).first().waitFor()
  await page.getByRole("link", { name: "Inbox" }).getByRole("img", { name: "1 unread" }).waitFor()
  await page.waitForLoadState("load")
  await page.waitForFunction(() => !document.querySelector("[aria-busy=true], [aria-label='Loading']"))
  page.removeAllListeners("request")
  expect(isCounted).toBe(true)
  return [...asked].sort()
}

test("no page loads a list for a badge: the unread are counted by the server, and each page has its own list alone", () =>
  visit({ path: "/app/settings" }, async ({ page, server }) => {
    const calls = callsTo(server)
    const mail = { subject: "News", body: "<p>Hello</p>", from: "hello@shop.test" }
    await calls.addContacts(1)
    const { id: contact } = await calls.contact("p001@example.com")
    const { id: template } = await calls.addTemplate({})
    const { data: draft } = await calls.post("/campaigns", { name: "June", audienceType: "ALL", ...mail })
    const { id: list } = await calls.post("/segments", { name: "List", type: "STATIC" })
    await server.sendMail({ subject: "One" })
    const expected: Record<string, readonly string[]> = {
      "/inbox": ["/inbox"],
      "/contacts": ["/contacts"],
      // Beside the list, the segments that the contact is in.
      [`/contacts/${contact}`]: ["/contacts", "/segments"],
      "/contacts/fields": [],
      "/segments": ["/segments"],
      "/segments/new": [],
      [`/segments/${list}`]: [],
      "/events": ["/events"],
      "/events/names": [],
      "/campaigns": ["/campaigns"],
      [`/campaigns/${draft.id}`]: [],
      "/templates": ["/templates"],
      [`/templates/${template}`]: [],
      "/settings": [],
    }
    const asked: Record<string, readonly string[]> = {}
    for (const path of Object.keys(expected)) asked[path] = await listsOf(page, `${server.url}/app${path}`)
    expect(asked).toEqual(expected)
  }))
