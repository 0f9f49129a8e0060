import { afterAll, beforeAll, expect, test } from "bun:test"
import { eq, sql } from "drizzle-orm"
import fc from "fast-check"
import { projectTable } from "../../src/modules/projects/index.ts"
import { idValue } from "../../src/store/dialect.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp({ settings: { "limits.requests_per_minute": "0" } })
})
afterAll(() => it.close())

const rows = (query: ReturnType<typeof sql>) => it.app.store.read.all<Record<string, unknown>>(query)

/** Expects the stored counts of names to equal a recount; resolves to the number of names. */
async function expectGoodBooks(): Promise<number> {
  const kept = await rows(sql`SELECT project_id, name, count FROM event_tally ORDER BY 1, 2`)
  const seen = await rows(sql`SELECT project_id, name, count(*) AS count FROM event GROUP BY 1, 2 ORDER BY 1, 2`)
  expect(kept).toEqual(seen)
  return kept.length
}

const name = fc.constantFrom("purchase", "login", "a b", "ü")
const who = fc.nat(5)
const deed = fc.oneof(
  fc.record({ does: fc.constant("track" as const), who, name, subscribed: fc.option(fc.boolean()) }),
  fc.record({ does: fc.constant("record" as const), who: fc.constant(0), name }),
  fc.record({ does: fc.constant("forget" as const), who, name: fc.constant("") }),
  fc.record({ does: fc.constant("drop" as const), who: fc.constant(0), name }),
)

test("the counts of names follow recorded events, deleted ones, and those deleted with their contact", async () => {
  let most = 0
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { maxLength: 25 }), async (deeds) => {
      for (const one of deeds) {
        const email = `who${one.who}@example.com`
        if (one.does === "track") {
          const { subscribed } = one
          await it.api("POST /v1/track", { body: { email, event: one.name, subscribed } })
        }
        if (one.does === "record") await it.api("POST /events/track", { body: { name: one.name } })
        if (one.does === "drop") await it.api(`DELETE /events/${encodeURIComponent(one.name)}`)
        if (one.does === "forget") {
          const { body } = await it.api("POST /contacts", { body: { email } })
          await it.api(`DELETE /contacts/${body.id}`)
        }
      }
      most = Math.max(most, await expectGoodBooks())
    }),
    { numRuns: 25 },
  )
  expect(most).toBeGreaterThan(1)
})

test("the counts of a project are deleted with it", async () => {
  const { id, publicKey } = await it.app.projects.create("Short-lived")
  await it.api("POST /v1/track", { key: publicKey, body: { email: "ada@example.com", event: "purchase" } })
  expect(await rows(sql`SELECT count FROM event_tally WHERE project_id = ${idValue(id)}`)).toEqual([{ count: 1 }])
  await it.app.store.write(
    it.project.id,
    async (unit) => void (await unit.db.delete(projectTable).where(eq(projectTable.id, id))),
  )
  await expectGoodBooks()
  expect(await rows(sql`SELECT count FROM event_tally WHERE project_id = ${idValue(id)}`)).toEqual([])
})
