import { afterAll, beforeAll, expect, test } from "bun:test"
import { sql } from "drizzle-orm"
import fc from "fast-check"
import { day } from "../../src/kernel/clock.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"

const keptDays = 5
let it: TestApp
beforeAll(async () => {
  it = await startTestApp({
    settings: {
      "retention.content_days": String(keptDays),
      "retention.request_log_days": "3",
      "limits.requests_per_minute": "0",
    },
  })
})
afterAll(() => it.close())

const rows = <T>(query: ReturnType<typeof sql>) => it.app.store.read.all<T>(query)

const deed = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant("send" as const), body: fc.nat(3), file: fc.nat(4) }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant("wait" as const), hours: fc.integer({ min: 1, max: 80 }) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("forget" as const), who: fc.nat(2) }) },
)

interface Known {
  readonly at: number
  readonly body: number
  readonly file: number
}

/** What each mail has to show now: all of its content, or nothing once a sweep has passed after its days. */
async function expectContent(known: ReadonlyMap<string, Known>): Promise<void> {
  for (const [id, { at, body, file }] of known) {
    const { status, body: email } = await it.api(`GET /emails/${id}`)
    if (status === 404) continue
    const age = it.clock.now() - at
    if (age <= keptDays * day) {
      expect([email.html, email.attachments.length]).toEqual([
        expect.stringContaining(`Content ${body}`),
        file === 0 ? 0 : 1,
      ])
    }
    // A sweep comes once a day.
    if (age > (keptDays + 1) * day)
      expect([email.html, email.text, email.headers, email.attachments]).toEqual([null, null, {}, []])
  }
}

/** Everything that is named is there, and nothing is kept much longer than it is needed. */
async function expectNoWaste(): Promise<void> {
  const lacking = await rows(sql`SELECT email.id FROM email LEFT JOIN content ON content.project_id = email.project_id
    AND content.hash = email.content_hash WHERE email.content_hash > '' AND content.hash IS NULL`)
  expect(lacking).toEqual([])
  const before = it.clock.now() - (keptDays + 1) * day - 3_600_000
  expect(await rows(sql`SELECT hash FROM content WHERE used_at < ${before}`)).toEqual([])
  expect(await rows(sql`SELECT id FROM email WHERE content_hash > '' AND created_at < ${before}`)).toEqual([])
  const lost = await rows(
    sql`SELECT source FROM inbox_text WHERE source NOT IN (SELECT hash FROM content) AND length(source) = 64`,
  )
  expect(lost).toEqual([])
  const [log] = await rows<{ n: number }>(sql`SELECT count(*) AS n FROM request WHERE at < ${it.clock.now() - 4 * day}`)
  expect(log?.n).toBe(0)
}

test("over any history mail shows its content for its days and nothing after them, and what is named is there", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { maxLength: 14 }), async (deeds) => {
      const known = new Map<string, Known>()
      for (const one of deeds) {
        if (one.does === "send") {
          const { body, file } = one
          const attachment = { filename: "a.txt", contentType: "text/plain", content: btoa(`file ${file}`) }
          const answer = await it.api("POST /v1/send", {
            body: {
              to: `who${(body + file) % 3}@example.com`,
              from: "hi@acme.test",
              subject: "Hi",
              body: `<p>Content ${body}</p>`,
              attachments: file === 0 ? [] : [attachment],
            },
          })
          expect(answer.status).toBe(200)
          known.set(answer.body.data.emails[0].email, { at: it.clock.now(), body, file })
          await it.settle()
        }
        if (one.does === "wait") await it.advance({ hours: one.hours })
        if (one.does === "forget") {
          const { body } = await it.api("POST /contacts", { body: { email: `who${one.who}@example.com` } })
          await it.api(`DELETE /contacts/${body.id}`)
        }
        await expectContent(known)
      }
      await it.advance({ hours: 25 })
      await expectContent(known)
      await expectNoWaste()
      expect(it.complaints).toEqual([])
    }),
    { numRuns: 25 },
  )
})
