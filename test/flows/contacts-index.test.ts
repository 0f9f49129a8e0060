import { expect, test } from "bun:test"
import { sql } from "drizzle-orm"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { indexAll, seedContacts } from "../harness/contacts.ts"
import { importFile } from "../harness/imports.ts"

const unlimited = { settings: { "limits.requests_per_minute": "0" } }

const numbers = async (it: TestApp, query: ReturnType<typeof sql>): Promise<number[]> =>
  (await it.app.store.read.all<{ n: number }>(query)).map(({ n }) => n)

/** The last indexed contact, and the last contact. */
const reach = async (it: TestApp): Promise<(number | undefined)[]> => [
  ...(await numbers(it, sql`SELECT seq AS n FROM contact_search_mark`)),
  ...(await numbers(it, sql`SELECT max(seq) AS n FROM contact`)),
]

/** Whether the index has exactly the contacts up to its mark whose address contains these three characters. */
async function agrees(it: TestApp, three: string): Promise<boolean> {
  const indexed = await numbers(
    it,
    sql`SELECT rowid AS n FROM contact_search WHERE contact_search MATCH ${`"${three}"`} ORDER BY rowid`,
  )
  const wanted = await numbers(
    it,
    sql`SELECT seq AS n FROM contact WHERE instr(email, ${three}) > 0 AND seq <= (SELECT seq FROM contact_search_mark) ORDER BY seq`,
  )
  expect(wanted.length).toBeGreaterThan(0)
  return Bun.deepEquals(indexed, wanted)
}

const find = async (it: TestApp, search: string): Promise<string[]> => {
  const { body } = await it.api(`GET /contacts?sort=email&dir=asc&limit=100&search=${encodeURIComponent(search)}`)
  expect(body.total).toBe(body.data.length)
  return body.data.map(({ email }: { email: string }) => email)
}

const again = ({ folder, clock, ids }: TestApp) => startTestApp({ ...unlimited, folder, clock, ids })

test("contacts are found before, during and after indexing, also when it is interrupted", async () => {
  const it = await startTestApp(unlimited)
  await seedContacts(it, 9_000, (at) => ({ email: `person${at}@example.com` }))
  expect(await reach(it)).toEqual([0, 9_000])
  expect(await find(it, "person8999@")).toEqual(["person8999@example.com"])
  await it.stop()

  // At start the job is queued; it is stopped between two of its slices.
  const second = await again(it)
  const work = second.app.jobs.drain()
  while ((await reach(second))[0] === 0) await new Promise(setImmediate)
  await second.stop()
  await work.catch(() => {})

  const third = await again(it)
  const [mark = 0, last] = await reach(third)
  expect([mark > 0, mark < 9_000, last]).toEqual([true, true, 9_000])
  expect(await find(third, "person8999@")).toEqual(["person8999@example.com"])
  expect(await find(third, "person1@")).toEqual(["person1@example.com"])
  await third.settle()
  expect(await reach(third)).toEqual([9_000, 9_000])
  expect(await agrees(third, "n89")).toBe(true)
  expect(await find(third, "person8999@")).toEqual(["person8999@example.com"])
  expect(third.complaints).toEqual([])
  await third.close()
})

test("a thousand new contacts trigger indexing; fewer wait for the recurring job", async () => {
  const it = await startTestApp(unlimited)
  await it.settle()
  const create = async (from: number, to: number) => {
    for (let at = from; at < to; at++) await it.api("POST /contacts", { body: { email: `new${at}@example.com` } })
    await it.settle()
  }
  await create(0, 999)
  expect(await reach(it)).toEqual([0, 999])
  await create(999, 1_002)
  expect(await reach(it)).toEqual([1_002, 1_002])
  await create(1_002, 1_010)
  expect(await reach(it)).toEqual([1_002, 1_010])
  await it.advance({ minutes: 5 })
  expect(await reach(it)).toEqual([1_010, 1_010])
  await it.close()
})

test("imported contacts count towards the thousand that trigger indexing", async () => {
  const it = await startTestApp(unlimited)
  await it.settle()
  const rows = Array.from({ length: 999 }, (_, at) => `row${at}@example.com`)
  expect(await importFile(it, `email\n${rows.join("\n")}\n`)).toMatchObject({ imported: 999 })
  expect(await reach(it)).toEqual([0, 999])
  // Contacts that an import only updates are not new.
  await importFile(it, `email\n${rows.join("\n")}\n`)
  expect(await reach(it)).toEqual([0, 999])
  await importFile(it, "email\nlast@example.com\n")
  expect(await reach(it)).toEqual([1_000, 1_000])
  await it.close()
})

test("the index follows new addresses and deletions, and never confuses contacts", async () => {
  const it = await startTestApp(unlimited)
  const people = await seedContacts(it, 300, (at) => ({ email: `old${at}@example.com` }))
  await indexAll(it)
  const idOf = (at: number) => people[at]?.id ?? ""
  await it.api(`PATCH /contacts/${idOf(7)}`, { body: { email: "renamed@elsewhere.test" } })
  // The last ones are deleted, so that their row numbers could be reused.
  for (const at of [299, 297, 298, 3]) await it.api(`DELETE /contacts/${idOf(at)}`)
  for (const name of ["new1", "new2", "new3", "new4"])
    await it.api("POST /contacts", { body: { email: `${name}@elsewhere.test` } })
  const look = async () => {
    expect(await find(it, "old7@")).toEqual([])
    expect(await find(it, "old29")).toEqual(
      ["old290", "old291", "old292", "old293", "old294", "old295", "old296", "old29"]
        .map((name) => `${name}@example.com`)
        .sort(),
    )
    expect(await find(it, "elsewhere")).toEqual(
      ["new1", "new2", "new3", "new4", "renamed"].map((name) => `${name}@elsewhere.test`),
    )
  }
  await look()
  await indexAll(it)
  const [mark, last] = await reach(it)
  expect(mark).toBe(last)
  for (const three of ["old", "els", "new", "ame", "@ex"])
    expect([three, await agrees(it, three)]).toEqual([three, true])
  await look()
  await it.close()
})
