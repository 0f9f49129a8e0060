import type { Page } from "playwright-core"
import { callsTo } from "./calls.ts"
import { type Visit, type VisitOptions, visit } from "./harness.ts"

export const filter = (field: string, operator: string, value?: unknown, unit?: string) => ({
  field,
  operator,
  ...(value === undefined ? {} : { value }),
  ...(unit ? { unit } : {}),
})

type Filter = ReturnType<typeof filter>
export const all = (...filters: Filter[]) => ({ logic: "AND", groups: [{ filters }] })

const people = [
  { email: "ada@acme.test", subscribed: true, data: { plan: "pro", score: 5, vip: true, since: "2026-01-31" } },
  { email: "bo@acme.test", subscribed: false, data: { plan: "free", score: 10, vip: false } },
  { email: "cy@beta.test", subscribed: true, data: { plan: "pro", score: 20 } },
]

type Calls = ReturnType<typeof callsTo> & {
  /** Creates a segment with these filters unless `fields` has a condition. */
  segment(fields: Record<string, unknown>, ...filters: Filter[]): Promise<{ id: string; name: string }>
  segments(): Promise<readonly Record<string, unknown>[]>
}

/** The dashboard of a project with three contacts, two of which have an event. */
export const withPeople = (options: VisitOptions, use: (visit: Visit & { calls: Calls }) => Promise<void>) =>
  visit({ path: null, ...options }, async (visit) => {
    const calls = callsTo(visit.server)
    const { post, get } = calls
    for (const person of people) await post("/contacts", person)
    for (const { email } of people.slice(1)) await post("/events/track", { email, event: "purchase" })
    await use({
      ...visit,
      calls: {
        ...calls,
        segment: (fields, ...filters) =>
          post("/segments", { name: "VIPs", ...(filters.length > 0 ? { condition: all(...filters) } : {}), ...fields }),
        segments: () => get("/segments"),
      },
    })
  })

/** The number of matches on the page, once it is of the present condition. */
export const counted = (page: Page, count: number) =>
  page
    .getByRole("status", { name: "Matching contacts" })
    .filter({ hasText: new RegExp(`^${count}of`) })
    .waitFor()

/** Chooses a field in the open picker. */
export async function chooseField(page: Page, search: string, name: string): Promise<void> {
  await page.getByRole("textbox", { name: "Find a field" }).fill(search)
  await page.getByRole("option", { name, exact: true }).click()
}
