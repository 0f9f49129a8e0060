import { Database, type SQLQueryBindings } from "bun:sqlite"
import { afterAll, beforeAll, expect, test } from "bun:test"
import { join } from "node:path"
import { bytesOfId, idOfBytes, nilId } from "../../src/kernel/ids.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { accept, marketing } from "../harness/mails.ts"

/** Two blocks, and the newest messages that are in none. */
const many = 3_300
const subjects = [
  "Grüße aus Oslo",
  "STRASSE 12",
  "Deine Straße",
  "Ada’s Ωmega",
  "50% off_today \\o/",
  "Re: order",
  "ſtrange ß",
]
const searches = [
  "oslo",
  "GRÜ",
  "strasse",
  "straße",
  "ss",
  "example",
  "7@",
  "%",
  "_t",
  "ω",
  "order",
  "nobody",
  "ſ",
  "user12",
  "zq",
]

let it: TestApp
let client: Database
let other: string
/** An id that no message has, in the middle of those that are stored. */
let unused: string
beforeAll(async () => {
  it = await startTestApp()
  client = new Database(join(it.folder, "mailstead.db"))
  await accept(it, marketing, "ada@example.com")
  await it.settle()
  other = (await it.app.projects.create("Other")).id
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }
  client.run("PRAGMA synchronous = OFF")
  client.run("BEGIN")
  for (let at = 1; at < many; at++) {
    const subject = subjects[random(10)] ?? `News ${random(50)}`
    add({ to_address: `user${random(4_000)}@example.${at % 3 ? "com" : "net"}`, subject })
    if (at === 1_500) unused = it.ids.next()
    if (at % 10 === 0) add({ project_id: other, to_address: "oslo@other.test", subject: "Oslo" })
  }
  client.run("COMMIT")
})
afterAll(async () => {
  client.close()
  await it.close()
})

/** Stores a copy of the first message, with some columns changed. */
function add(changed: Record<string, string>): void {
  const first = client.query("SELECT * FROM email ORDER BY id LIMIT 1").get() as Record<string, SQLQueryBindings>
  const row: Record<string, SQLQueryBindings> = { ...first, id: it.ids.next(), ...changed }
  for (const name of ["id", "project_id"])
    row[name] = typeof row[name] === "string" ? bytesOfId(row[name]) : (row[name] ?? null)
  client
    .query(`INSERT INTO email (${Object.keys(row)}) VALUES (${Object.keys(row).map(() => "?")})`)
    .run(...Object.values(row))
}

const index = () => it.advance({ minutes: 10 })
/** The blocks of the project. */
const blocks = () =>
  client
    .query<{ seq: number; afterId: Uint8Array; lastId: Uint8Array }, []>(
      "SELECT seq, after_id AS afterId, last_id AS lastId FROM email_text ORDER BY last_id",
    )
    .all()
    .map(({ seq, ...range }) => ({ seq, afterId: idOfBytes(range.afterId), lastId: idOfBytes(range.lastId) }))

const fold = (text: string) => text.toLowerCase().toUpperCase()
interface Stored {
  readonly id: string
  readonly own: string
  readonly subject: string
}
const stored = () =>
  client
    .query<Stored & { id: Uint8Array }, [Uint8Array | string]>(
      "SELECT id, to_address AS own, subject FROM email WHERE project_id = ? ORDER BY id DESC",
    )
    .all(bytesOfId(it.project.id))
    .map(({ id, ...rest }): Stored => ({ id: idOfBytes(id), ...rest }))

/** What a search finds, by looking at every message. */
function model(rows: readonly Stored[], search: string): string[] {
  const isDouble = /ss|[ßẞ]/i.test(search)
  const part = search.replace(/[ßẞ]/g, "ss")
  const upper = (text: string) =>
    /^\p{ASCII}*$/u.test(part) ? text.replace(/[a-z]/g, (letter) => letter.toUpperCase()) : fold(text)
  const has = (text: string) => upper(isDouble ? text.replace(/[ßẞ]/g, "ss") : text).includes(upper(part))
  return rows.filter(({ own, subject }) => has(own) || has(subject)).map(({ id }) => id)
}

/** The total of the first page, and the ids of some pages. */
async function search(text: string, pages = 2): Promise<{ total: number; ids: string[] }> {
  const ids: string[] = []
  let total = -1
  let cursor = ""
  for (let page = 0; page < pages; page++) {
    const { body } = await it.api(`GET /emails?limit=60&search=${encodeURIComponent(text)}${cursor}`)
    if (page === 0) total = body.total
    ids.push(...body.data.map(({ id }: { id: string }) => id))
    if (!body.hasMore) break
    cursor = `&cursor=${encodeURIComponent(body.cursor)}`
  }
  return { total, ids }
}

async function expectRight(): Promise<void> {
  const rows = stored()
  for (const text of searches) {
    const wanted = model(rows, text)
    expect([text, await search(text)]).toEqual([text, { total: wanted.length, ids: wanted.slice(0, 120) }])
  }
}

test("searches find the same without blocks, with them, and after messages came, changed and went", async () => {
  await expectRight()
  await index()
  expect(blocks().length).toBe(2)
  await expectRight()

  const victim = () =>
    client
      .query<{ id: Uint8Array }, [Uint8Array | string]>(
        "SELECT id FROM email WHERE project_id = ? ORDER BY id LIMIT 1 OFFSET 500",
      )
      .get(bytesOfId(it.project.id))?.id ?? null
  client.query("DELETE FROM email WHERE id = ?").run(victim())
  expect(blocks().length).toBe(1)
  await expectRight()
  await index()
  expect(blocks().length).toBe(2)
  await expectRight()

  const id = victim()
  client.query("UPDATE email SET status = 'FAILED' WHERE id = ?").run(id)
  expect(blocks().length).toBe(2)
  client.query("UPDATE email SET subject = 'zq' WHERE id = ?").run(id)
  expect(blocks().length).toBe(1)
  expect((await search("zq")).total).toBe(1)
})

test("a message with an earlier id is found, and a range whose messages are deleted is closed", async () => {
  await index()
  const [first] = blocks()
  add({ id: unused, subject: "Late order" })
  expect(blocks().map(({ seq }) => seq)).toEqual([first?.seq ?? 0])
  expect((await search("late order")).total).toBe(1)
  await index()
  client
    .query("DELETE FROM email WHERE project_id = ? AND id <= ?")
    .run(bytesOfId(it.project.id), bytesOfId(first?.lastId ?? ""))
  await index()
  expect(blocks()[0]?.afterId).toBe(nilId)
  await expectRight()
})
