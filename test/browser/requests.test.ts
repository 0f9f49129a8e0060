import { expect, test } from "bun:test"
import type { Page, Request } from "playwright-core"
import { callsTo } from "./calls.ts"
import { visit, withBrowser } from "./harness.ts"

withBrowser()

const lists = /^\/(inbox|emails|contacts|segments|events|campaigns|templates)$/

/** The list that a request is for, if it is for one; one row is no list, it tells a total. */
function listOf(request: Request): string | undefined {
  const { pathname, searchParams } = new URL(request.url())
  if (request.method() !== "GET" || request.resourceType() !== "fetch" || !lists.test(pathname)) return undefined
  return ["limit", "pageSize"].some((name) => searchParams.get(name) === "1") ? undefined : pathname
}

/** The lists that a page asks the server for, seen once it has asked for these and all is there. */
async function listsOf(page: Page, address: string, expected: readonly string[]): Promise<string[]> {
  const asked = new Set<string>()
  let isCounted = false
  page.on("request", (request) => {
    const list = listOf(request)
    if (list !== undefined) asked.add(list)
    isCounted ||= new URL(request.url()).pathname === "/inbox/unread"
  })
  const all = expected.map((list) => page.waitForRequest((request) => listOf(request) === list))
  await Promise.all([page.goto(address), ...all])
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
    for (const [path, own] of Object.entries(expected))
      asked[path] = await listsOf(page, `${server.url}/app${path}`, own)
    expect(asked).toEqual(expected)
  }))
