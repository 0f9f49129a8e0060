import { afterAll, beforeAll, expect, test } from "bun:test"
import fc from "fast-check"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { indexAll, seedContacts } from "../harness/contacts.ts"

/** A contact in the model. */
interface Known {
  readonly id: string
  email: string
  subscribed: boolean
  readonly createdAt: number
}

const seeded = 6_500
const domains = ["example.com", "gmail.com", "acme.test"]
const searches = [undefined, "example", "seeded12", "seeded123@", "e", "zz", "late", "Gmail.COM", "@", "5@acme"]

let it: TestApp
const model = new Map<string, Known>()
let late = 0

beforeAll(async () => {
  it = await startTestApp({ settings: { "limits.requests_per_minute": "0" } })
  // Three share each creation time, and one in twenty is not subscribed.
  const born = it.clock.now()
  const contacts = await seedContacts(it, seeded, (at) => ({
    email: `seeded${(at * 7_919) % seeded}@${domains[at % 3]}`,
    subscribed: at % 20 !== 0,
    createdAt: born + Math.floor(at / 3),
  }))
  for (const { id, email, subscribed, createdAt } of contacts) model.set(id, { id, email, subscribed, createdAt })
  const other = await it.app.projects.create("Other")
  await seedContacts(it, 300, (at) => ({ email: `seeded${at}@gmail.com` }), other.id)
  await indexAll(it)
})
afterAll(() => it.close())

interface List {
  readonly sort: "createdAt" | "email"
  readonly dir: "asc" | "desc"
  readonly search: string | undefined
  readonly subscribed: boolean | undefined
}

const lists = fc.record<List>({
  sort: fc.constantFrom("createdAt", "email"),
  dir: fc.constantFrom("asc", "desc"),
  search: fc.constantFrom(...searches),
  subscribed: fc.constantFrom(undefined, undefined, true, false),
})

type Change = "create" | "delete" | "delete the last one seen" | "flip" | "rename" | "index"
const changes = fc.array(
  fc.constantFrom<Change>(
    "create",
    "create",
    "delete",
    "delete",
    "delete the last one seen",
    "flip",
    "rename",
    "index",
  ),
  { minLength: 10, maxLength: 30 },
)

const fits = ({ search, subscribed }: List, one: Known): boolean =>
  (search === undefined || one.email.includes(search.toLowerCase())) &&
  (subscribed === undefined || one.subscribed === subscribed)

const sorted = ({ sort, dir }: List, some: readonly Known[]): string[] => {
  const ascending = [...some].sort((one, other) =>
    one[sort] < other[sort] ? -1 : one[sort] > other[sort] ? 1 : one.id < other.id ? -1 : 1,
  )
  return (dir === "asc" ? ascending : ascending.reverse()).map(({ id }) => id)
}

const pathOf = ({ sort, dir, search, subscribed }: List, limit: number, cursor: string | undefined): string => {
  const query = new URLSearchParams({ sort, dir, limit: String(limit) })
  if (search !== undefined) query.set("search", search)
  if (subscribed !== undefined) query.set("subscribed", String(subscribed))
  if (cursor !== undefined) query.set("cursor", cursor)
  return `/contacts?${query}`
}

/** Changes one contact; resolves to the ids whose position or state has changed. */
async function perform(change: Change, at: number, last: string | undefined): Promise<string[]> {
  const all = [...model.values()]
  const one = (change === "delete the last one seen" && last && model.get(last)) || all[at % all.length]
  if (one === undefined) return []
  switch (change) {
    case "create": {
      const email = `late${late++}x${at % 1_000}@${domains[at % 3]}`
      const { body } = await it.api("POST /contacts", { body: { email, subscribed: at % 4 !== 0 } })
      model.set(body.id, { id: body.id, email, subscribed: at % 4 !== 0, createdAt: Date.parse(body.createdAt) })
      return [body.id]
    }
    case "delete":
    case "delete the last one seen":
      await it.api(`DELETE /contacts/${one.id}`)
      model.delete(one.id)
      return [one.id]
    case "flip":
      one.subscribed = !one.subscribed
      await it.api(`PATCH /contacts/${one.id}`, { body: { subscribed: one.subscribed } })
      return [one.id]
    case "rename":
      one.email = `renamed${late++}@${domains[at % 3]}`
      await it.api(`PATCH /contacts/${one.id}`, { body: { email: one.email } })
      return [one.id]
    case "index":
      await it.advance({ minutes: 5 })
      return []
  }
}

test("a walk returns each contact that existed at its start and was not deleted exactly once, in order (contract A1.4.4)", async () => {
  await fc.assert(
    fc.asyncProperty(lists, changes, fc.integer({ min: 1, max: 100 }), fc.nat(), async (list, plan, limit, luck) => {
      const before = sorted(
        list,
        [...model.values()].filter((one) => fits(list, one)),
      )
      const touched = new Set<string>()
      // In a walk by address, a contact whose address changes meanwhile may be met twice or not at all.
      const mayBeMetTwice = new Set<string>()
      const seen: string[] = []
      let cursor: string | undefined
      let random = luck
      // Not to the end of a list of thousands, because later pages are like the first ones.
      for (let pages = 0; pages < 15; pages++) {
        const { body } = await it.api(`GET ${pathOf(list, limit, cursor)}`)
        expect(body.total).toBe(pages === 0 ? before.length : 0)
        seen.push(...body.data.map(({ id }: Known) => id))
        if (!body.hasMore) {
          cursor = undefined
          break
        }
        cursor = body.cursor
        for (const change of plan.slice(pages, pages + 3)) {
          random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0
          for (const id of await perform(change, random, seen.at(-1))) {
            touched.add(id)
            if (change === "rename" && list.sort === "email") mayBeMetTwice.add(id)
          }
        }
      }
      const met = seen.filter((id) => !mayBeMetTwice.has(id))
      expect(new Set(met).size).toBe(met.length)
      const untouched = (ids: readonly string[]) => ids.filter((id) => !touched.has(id))
      const expected = untouched(before)
      expect(untouched(seen)).toEqual(cursor === undefined ? expected : expected.slice(0, untouched(seen).length))
    }),
    { numRuns: 60, seed: 20_260_131 },
  )
})

test("totals agree with a count of all contacts after all these changes", async () => {
  for (const search of searches)
    for (const subscribed of [undefined, true, false]) {
      const list: List = { sort: "email", dir: "asc", search, subscribed }
      const wanted = [...model.values()].filter((one) => fits(list, one)).length
      for (const _ of ["counted", "remembered"]) {
        const { body } = await it.api(`GET ${pathOf(list, 1, undefined)}`)
        expect([search, subscribed, body.total]).toEqual([search, subscribed, wanted])
      }
    }
})
