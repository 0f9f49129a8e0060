import { afterAll, beforeAll, expect, test } from "bun:test"
import { eq, sql } from "drizzle-orm"
import fc from "fast-check"
import { projectTable } from "../../src/modules/projects/index.ts"
import { idValue } from "../../src/store/dialect.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { indexAll, seedContacts } from "../harness/contacts.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp({ settings: { "limits.requests_per_minute": "0" } })
})
afterAll(() => it.close())

const rows = (query: ReturnType<typeof sql>) => it.app.store.read.all<Record<string, unknown>>(query)

/** The stored counts of each project, and those recounted from all contacts. */
async function books() {
  return {
    contacts: await rows(
      sql`SELECT project_id, subscribed, unsubscribed FROM contact_count
        WHERE subscribed <> 0 OR unsubscribed <> 0 ORDER BY project_id`,
    ),
    contactsSeen: await rows(
      sql`SELECT project_id, sum(subscribed) AS subscribed, sum(1 - subscribed) AS unsubscribed FROM contact GROUP BY project_id ORDER BY project_id`,
    ),
    fields: await rows(
      sql`SELECT project_id, key, contact_count AS n FROM field WHERE contact_count <> 0 ORDER BY project_id, key`,
    ),
    fieldsSeen: await rows(
      sql`SELECT project_id, entry.key AS key, count(*) AS n FROM contact, json_each(contact.data) AS entry GROUP BY 1, 2 ORDER BY 1, 2`,
    ),
    // A field with a type remains without values; one without a type is being deleted.
    typeless: await rows(sql`SELECT project_id, key FROM field WHERE type IS NULL`),
  }
}

async function expectGoodBooks(): Promise<void> {
  const { contacts, contactsSeen, fields, fieldsSeen, typeless } = await books()
  expect(contacts).toEqual(contactsSeen)
  expect(fields).toEqual(fieldsSeen)
  expect(typeless).toEqual([])
}

/** The types of the fields of a project, by key. */
const typesOf = async (projectId: string): Promise<Record<string, unknown>> =>
  Object.fromEntries(
    (await rows(sql`SELECT key, type FROM field WHERE project_id = ${idValue(projectId)}`)).map(({ key, type }) => [
      key,
      type,
    ]),
  )

const key = fc.constantFrom("plan", "city", "a.b", "x")
/** Values that are stored, and the type that each gives a field whose first it is (contract A2.3). */
const typed = new Map<unknown, string>([
  [1, "number"],
  ["x", "string"],
  [true, "boolean"],
  ["2026-01-31", "date"],
  [{ deep: 1 }, "string"],
])
const value = fc.constantFrom<unknown>(...typed.keys(), null, "", { value: 1, persistent: false })
const deed = fc.oneof(
  fc.record({
    route: fc.constant("POST /contacts"),
    who: fc.nat(30),
    subscribed: fc.option(fc.boolean()),
    data: fc.dictionary(key, value),
  }),
  fc.record({
    route: fc.constant("POST /v1/track"),
    who: fc.nat(30),
    subscribed: fc.option(fc.boolean()),
    data: fc.dictionary(key, value),
  }),
  fc.record({
    route: fc.constant("PATCH"),
    who: fc.nat(30),
    subscribed: fc.boolean(),
    data: fc.dictionary(key, value),
  }),
  fc.record({ route: fc.constant("DELETE"), who: fc.nat(30) }),
  fc.record({ route: fc.constant("DELETE /contacts/fields/"), field: key }),
  fc.constant({ route: "index" }),
)

test("counts of contacts and fields equal a recount, after any operations", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 20, maxLength: 60 }), fc.boolean(), async (deeds, atOnce) => {
      const { id: projectId, secret, publicKey } = await it.app.projects.create("Books")
      const types: Record<string, string> = {}
      const idOf = async (who: number): Promise<string> => {
        const { body } = await it.api(`GET /contacts?search=who${who}@`, { key: secret })
        return body.data[0]?.id ?? "nobody"
      }
      const perform = async (one: (typeof deeds)[number]) => {
        const { route, who = 0, field = "", ...body } = one as { route: string; who?: number; field?: string }
        if (route === "index") return it.advance({ minutes: 5 })
        if (route === "DELETE") return it.api(`DELETE /contacts/${await idOf(who)}`, { key: secret })
        if (route === "PATCH")
          return it.api(`PATCH /contacts/${await idOf(who)}`, {
            key: secret,
            body: { ...body, email: `who${who}@other.test` },
          })
        if (field !== "") return it.api(`${route}${field}`, { key: secret })
        const whole = { email: `who${who}@example.com`, ...(route === "POST /v1/track" ? { event: "e" } : {}), ...body }
        return it.api(route, { key: route === "POST /v1/track" ? publicKey : secret, body: whole })
      }
      const learn = (one: (typeof deeds)[number]) => {
        if ("field" in one) delete types[one.field]
        if (!("data" in one)) return
        for (const [key, value] of Object.entries(one.data)) {
          const type = typed.get(value)
          if (type !== undefined) types[key] ??= type
        }
      }
      if (atOnce) await Promise.all(deeds.map(perform))
      else
        for (const one of deeds) {
          const answer = await perform(one)
          if (answer && answer.status < 300) learn(one)
        }
      await expectGoodBooks()
      // Which value is the first of several at the same time is undefined.
      if (!atOnce) expect(await typesOf(projectId)).toEqual(types)
    }),
    { numRuns: 25, seed: 7 },
  )
  expect((await books()).fieldsSeen.length).toBeGreaterThan(10)
})

test("deleting a project deletes its contacts, their counts and their index entries", async () => {
  const [gone, stays] = [await it.app.projects.create("Gone"), await it.app.projects.create("Stays")]
  await seedContacts(it, 50, (at) => ({ email: `gone${at}@example.com`, subscribed: at % 2 === 0 }), gone.id)
  await seedContacts(it, 5, (at) => ({ email: `stays${at}@example.com` }), stays.id)
  await indexAll(it)
  await seedContacts(it, 5, (at) => ({ email: `gonelate${at}@example.com` }), gone.id)
  await it.app.store.write(it.project.id, async (unit) => {
    await unit.db.delete(projectTable).where(eq(projectTable.id, gone.id))
  })
  await expectGoodBooks()
  expect(await rows(sql`SELECT 1 FROM contact_search WHERE contact_search MATCH '"gon"'`)).toEqual([])
  await it.api("POST /contacts", { key: stays.secret, body: { email: "new@example.com" } })
  const find = async (search: string) =>
    (await it.api(`GET /contacts?search=${search}`, { key: stays.secret })).body.total
  expect([await find("stays"), await find("new@"), await find("gone")]).toEqual([5, 1, 0])
})
