import { expect, test } from "bun:test"
import { sql } from "drizzle-orm"
import { idValue } from "../../src/store/dialect.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { seedContacts } from "../harness/contacts.ts"
import { until } from "../harness/store.ts"

const unlimited = { settings: { "limits.requests_per_minute": "0" } }

/** Contacts of the project whose data has the key. */
async function holders(it: TestApp, key: string): Promise<number> {
  const [row] = await it.app.store.read.all<{ n: number }>(
    sql`SELECT count(*) AS n FROM contact WHERE json_type(data, ${`$."${key}"`}) IS NOT NULL AND project_id = ${idValue(it.project.id)}`,
  )
  return row?.n ?? 0
}

const catalogue = async (it: TestApp): Promise<string[]> =>
  (await it.api("GET /contacts/fields")).body.fields.map(({ field }: { field: string }) => field)

/** Sets the types by one contact, and inserts the others directly. */
async function seed(it: TestApp, count: number): Promise<void> {
  await it.api("POST /contacts", {
    body: { email: "first@example.com", data: { plan: "pro", profile: { tier: "gold", since: 1 } } },
  })
  await seedContacts(it, count - 1, (at) => ({ data: { plan: `p${at % 5}`, profile: { tier: "gold", since: at } } }))
  await it.app.store.write(it.project.id, async (unit) => {
    await unit.db.run(sql`UPDATE field SET contact_count = ${count} WHERE project_id = ${idValue(it.project.id)}`)
  })
}

/** Begins a deletion and stops the server when a part of the contacts is done. */
async function cutOff(it: TestApp, field: string, some: () => Promise<boolean>): Promise<number> {
  const answer = it.api(`DELETE /contacts/fields/${field}`)
  while (!(await some())) await new Promise(setImmediate)
  await it.stop()
  return (await answer).status
}

const again = ({ folder, clock, ids }: TestApp) => startTestApp({ ...unlimited, folder, clock, ids })

test("an interrupted field deletion is finished by the next server", async () => {
  const count = 4_500
  const it = await startTestApp(unlimited)
  await seed(it, count)
  let left = count
  const status = await cutOff(it, "data.plan", async () => {
    left = await holders(it, "plan")
    return left < count
  })
  expect(status).toBe(503)

  const next = await again(it)
  left = await holders(next, "plan")
  expect([left > 0, left < count]).toEqual([true, true])
  expect(await catalogue(next)).not.toContain("data.plan")
  // A contact that is created meanwhile is not affected, and sets the type anew.
  await next.api("POST /contacts", { body: { email: "later@example.com", data: { plan: 5 } } })
  await next.advance({ seconds: 1 })
  expect(await holders(next, "plan")).toBe(1)
  const { fields } = (await next.api("GET /contacts/fields")).body
  const plan = fields.find(({ field }: { field: string }) => field === "data.plan")
  expect(plan).toEqual({
    field: "data.plan",
    type: "number",
    isCustom: true,
    coverage: Math.round((1 / (count + 1)) * 10_000) / 10_000,
  })
  expect(next.complaints).toEqual([])
  await next.close()
})

test("an interrupted field deletion is continued by a repeated request, which counts its own changes", async () => {
  const it = await startTestApp(unlimited)
  await seed(it, 4_500)
  await cutOff(it, "plan", async () => (await holders(it, "plan")) < 4_500)

  const next = await again(it)
  const left = await holders(next, "plan")
  expect(left).toBeGreaterThan(0)
  expect((await next.api("DELETE /contacts/fields/plan")).body).toEqual({ deletedFrom: left })
  expect(await holders(next, "plan")).toBe(0)
  await next.advance({ hours: 1 })
  expect(await next.app.store.read.all(sql`SELECT * FROM field_drop`)).toEqual([])
  expect(next.complaints).toEqual([])
  await next.close()
})

test("a field that is filled again while it is deleted, and whose values all go, has no type left", async () => {
  const it = await startTestApp(unlimited)
  await seed(it, 4_500)
  const { body } = await it.api("POST /contacts", { body: { email: "last@example.com" } })
  const answer = it.api("DELETE /contacts/fields/plan")
  while ((await holders(it, "plan")) === 4_500) await new Promise(setImmediate)
  await it.api(`PATCH /contacts/${body.id}`, { body: { data: { plan: 5 } } })
  expect((await answer).body).toEqual({ deletedFrom: 4_501 })
  expect(await catalogue(it)).not.toContain("data.plan")
  await it.api(`PATCH /contacts/${body.id}`, { body: { data: { plan: "pro" } } })
  const { fields } = (await it.api("GET /contacts/fields")).body
  expect(fields.find(({ field }: { field: string }) => field === "data.plan")).toMatchObject({ type: "string" })
  await it.close()
})

test("an interrupted deletion inside an object is finished too, and not repeated", async () => {
  const it = await startTestApp(unlimited)
  await seed(it, 2_500)
  const tiers = async (app: TestApp): Promise<number> =>
    (await app.api("GET /contacts/fields/profile.tier/usage")).body.contactCount
  const status = await cutOff(it, "profile.tier", async () => {
    const [row] = await it.app.store.read.all<{ position: number }>(
      sql`SELECT position_seq AS position FROM field_drop`,
    )
    return (row?.position ?? 0) > 0
  })
  expect(status).toBe(503)

  const next = await again(it)
  expect(await tiers(next)).toBeGreaterThan(0)
  await next.advance({ seconds: 1 })
  expect(await tiers(next)).toBe(0)
  expect(await holders(next, "profile")).toBe(2_500)

  const { body } = await next.api("POST /contacts", {
    body: { email: "first@example.com", data: { profile: { tier: "new" } } },
  })
  await next.advance({ hours: 1 })
  expect((await next.api(`GET /contacts/${body.id}`)).body.data.profile).toEqual({ tier: "new" })
  expect(await next.app.store.read.all(sql`SELECT * FROM field_drop`)).toEqual([])
  await next.close()
})

test("two deletions of one field at the same time count each contact once", async () => {
  const count = 3_000
  const it = await startTestApp(unlimited)
  await seed(it, count)
  const gone: boolean[] = []
  const answers = await Promise.all(
    ["plan", "data.plan"].map(async (field) => {
      const answer = await it.api(`DELETE /contacts/fields/${field}`)
      gone.push((await holders(it, "plan")) === 0)
      return answer
    }),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(gone).toEqual([true, true])
  expect(answers.reduce((sum, { body }) => sum + body.deletedFrom, 0)).toBe(count)
  expect([await holders(it, "plan"), await catalogue(it)]).toEqual([
    0,
    ["createdAt", "data.profile", "email", "subscribed", "updatedAt"],
  ])
  await it.close()
})

test("two deletions inside one object at the same time both walk, and count each contact once", async () => {
  const count = 6_000
  const it = await startTestApp(unlimited)
  await seed(it, count)
  const answers = ["profile.tier", "data.profile.tier"].map((field) => it.api(`DELETE /contacts/fields/${field}`))
  const halfWay = sql`SELECT id FROM field_drop WHERE position_seq > 0 AND position_seq < until_seq`
  await until(async () => (await it.app.store.read.all(halfWay)).length === answers.length)
  const changed = (await Promise.all(answers)).map(({ body }) => body.deletedFrom)
  expect(changed.reduce((sum, one) => sum + one)).toBe(count)
  expect((await it.api("GET /contacts/fields/profile.tier/usage")).body.contactCount).toBe(0)
  expect(await holders(it, "profile")).toBe(count)
  await it.close()
})

test("the job of a deletion leaves it to the request that is working on it", async () => {
  const count = 20_000
  const it = await startTestApp(unlimited)
  await seed(it, count)
  const drops = () =>
    it.app.store.read.all<{ done: number; over: number }>(
      sql`SELECT position_seq AS done, position_seq = until_seq AS over FROM field_drop`,
    )
  const answer = it.api("DELETE /contacts/fields/plan")
  await until(async () => ((await drops())[0]?.done ?? 0) > 0)
  await it.clock.advance(60_000)
  expect(await it.app.jobs.drain()).toBeGreaterThan(0)
  expect(await drops()).toMatchObject([{ over: 0 }])
  expect((await answer).body).toEqual({ deletedFrom: count })
  await it.advance({ minutes: 1 })
  expect(await drops()).toEqual([])
  await it.close()
})

test("other requests are served while a field is deleted", async () => {
  const it = await startTestApp(unlimited)
  await seed(it, 4_000)
  let over = false
  const deletion = it.api("DELETE /contacts/fields/plan").finally(() => {
    over = true
  })
  let served = 0
  while (!over) {
    const { status } = await it.api("POST /v1/track", { body: { email: `busy${served}@example.com`, event: "e" } })
    expect(status).toBe(200)
    served++
  }
  expect((await deletion).body).toEqual({ deletedFrom: 4_000 })
  expect(served).toBeGreaterThan(4)
  await it.close()
})
