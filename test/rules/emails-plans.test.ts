import { Database, type SQLQueryBindings } from "bun:sqlite"
import { afterAll, beforeAll, expect, test } from "bun:test"
import { join } from "node:path"
import { drizzle } from "drizzle-orm/bun-sqlite"
import { bytesOfId, idOfBytes } from "../../src/kernel/ids.ts"
import { createEmailLists, type EmailFilter } from "../../src/modules/emails/view/list.ts"
import type { Db } from "../../src/store/database.ts"
import { countRecords } from "../../src/store/text-block.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { accept, marketing } from "../harness/mails.ts"
import { createTemplate } from "../harness/templates.ts"

/** More than are read on the event loop. */
const many = 2_100
const campaign = "0199c0de-0000-7000-9000-00000000cccc"

let it: TestApp
let client: Database
let ids: { contact: string; other: string; campaign: string; template: string }
beforeAll(async () => {
  it = await startTestApp()
  client = new Database(join(it.folder, "mailstead.db"))
  const { id: template } = await createTemplate(it, {})
  await accept(
    it,
    { ...marketing, source: { kind: "campaign", id: campaign }, templateId: template },
    "ada@example.com",
  )
  await accept(it, {}, "bo@example.com")
  await it.settle()
  const [ada, bo] = client.query("SELECT * FROM email ORDER BY id").all() as Record<string, SQLQueryBindings>[]
  const copy = client.query(
    `INSERT INTO email (${Object.keys(ada ?? {})}) VALUES (${Object.keys(ada ?? {}).map(() => "?")})`,
  )
  const status = (at: number) => (at === 7 ? "BOUNCED" : "SENT")
  client.transaction(() => {
    for (let at = 1; at < many; at++)
      copy.run(...Object.values({ ...ada, id: bytesOfId(it.ids.next()), subject: `News ${at}`, status: status(at) }))
  })()
  ids = {
    contact: idOfBytes(ada?.contact_id as Uint8Array),
    other: idOfBytes(bo?.contact_id as Uint8Array),
    campaign,
    template,
  }
})
afterAll(async () => {
  client.close()
  await it.close()
})

interface Asked {
  /** Queries on the event loop, with their query plans. */
  readonly here: string[]
  readonly inPool: string[]
  readonly total: number
  readonly emails: string[]
}

async function list(filter: EmailFilter, after?: string): Promise<Asked> {
  const here: string[] = []
  const inPool: string[] = []
  const plan = (query: string) =>
    (client.query(`EXPLAIN QUERY PLAN ${query}`).all() as { detail: string }[])
      .map(({ detail }) => detail)
      .filter((detail) => /^(SEARCH|SCAN|USE)/.test(detail) && detail !== "SCAN reached")
      .join(", ")
  const read: Db = drizzle(client, { logger: { logQuery: (query) => here.push(plan(query)) } })
  const { rows, total } = await createEmailLists({
    read,
    readPool: {
      ...it.app.store.readPool,
      read: async (_, query) => query(drizzle(client, { logger: { logQuery: (text) => inPool.push(plan(text)) } })),
    },
  })(it.project.id, filter, after, 3)
  return { here, inPool, total, emails: rows.map(({ id }) => id) }
}

const recent = "SEARCH email USING COVERING INDEX email_recent (project_id=?)"
const all = "SEARCH email USING INDEX email_recent (project_id=?)"
const byIds = "SEARCH email USING INDEX sqlite_autoindex_email_1 (id=?)"
const plain = (index: string, by: string) => `SEARCH email USING INDEX email_${index} (project_id=? AND ${by})`
const known = "SEARCH email_count USING PRIMARY KEY (project_id=?)"
const counted = (index: string) => `SEARCH email USING COVERING INDEX email_${index} (${index}_id=?)`
const along = (index: string) => `SEARCH email USING INDEX email_${index} (${index}_id=?)`

const blocks = "SEARCH email_text USING COVERING INDEX email_text_range (project_id=?)"

type Row = [what: string, filter: () => EmailFilter, here: string[], inPool: string[], total: number]
test.each<Row>([
  ["all", () => ({}), [plain("recent", "id<?"), known], [], many + 1],
  ["by status", () => ({ status: "SENT" }), [plain("status", "status=? AND id<?"), known], [], many],
  ["by a rare status", () => ({ status: "BOUNCED" }), [plain("status", "status=? AND id<?"), known], [], 1],
  ["by source", () => ({ sourceType: "CAMPAIGN" }), [recent, byIds], [all, all], many],
  ["by address", () => ({ to: "bo@example.com" }), [recent, byIds], [all], 1],
  ["by a search", () => ({ search: "NEWS 7" }), [blocks, recent, byIds], [all, all], 111],
  [
    "by a search and all else",
    () => ({ search: "news 7", status: "BOUNCED", to: "ada@example.com" }),
    [recent, byIds],
    [all],
    1,
  ],
  ...(["contact", "campaign", "template"] as const).flatMap((name): Row[] => {
    const having = (filter: EmailFilter) => () => ({ [`${name}Id`]: ids[name], ...filter })
    const first = [along(name), counted(name)]
    return [
      [`of one ${name}`, having({}), [...first, counted(name), byIds], [counted(name)], many],
      [`of one ${name} by status`, having({ status: "SENT" }), [...first, byIds], [along(name), along(name)], many - 1],
      [`of one ${name} by address`, having({ to: "nobody@example.com" }), first, [along(name)], 0],
      [`of one ${name} by a search`, having({ search: "news 2099" }), [...first, byIds], [along(name)], 1],
      [`of one ${name} that is unknown`, () => ({ [`${name}Id`]: "x" }), [along(name)], [], 0],
    ]
  }),
  [
    "of a contact and a campaign",
    () => ({ contactId: ids.contact, campaignId: ids.campaign }),
    [along("contact"), counted("contact"), byIds],
    [along("contact"), along("contact")],
    many,
  ],
  [
    "of a campaign and a template",
    () => ({ campaignId: ids.campaign, templateId: ids.template }),
    [along("campaign"), counted("campaign"), byIds],
    [along("campaign"), along("campaign")],
    many,
  ],
  [
    "of a contact with few mails, all of which are looked through here",
    () => ({ contactId: ids.other, search: "news" }),
    [along("contact"), counted("contact"), along("contact"), byIds],
    [],
    1,
  ],
])("Mails %s: long lists are read on the pool", async (_, filter, here, inPool, total) => {
  const asked = await list(filter())
  expect(asked).toMatchObject({ here, inPool, total })
  const [first, ...rest] = asked.emails
  expect(asked.emails).toHaveLength(Math.min(total, 3))
  const behind = await list(filter(), first ?? "")
  expect([behind.total, behind.emails.slice(0, 2)]).toEqual([0, rest])
  for (const plan of [...behind.here, ...behind.inPool])
    expect(plan).toMatch(/^SEARCH email(_text)? USING [A-Z ]+ \w+ \([^)]+\)$/)
})

test("Mails by a search: blocks of text are read on the pool, and one by one only the mails that are in none", async () => {
  const wanted = await list({ search: "NEWS 7" })
  await it.advance({ minutes: 10 })
  // A new connection sees the blocks: a statement of the other one may still hold its snapshot.
  client.close()
  client = new Database(join(it.folder, "mailstead.db"))
  client.function("count_records", (own: Uint8Array, shared: Uint8Array, starts: string, text: string) =>
    countRecords(own, shared, starts, text),
  )
  const { here, inPool, ...found } = await list({ search: "NEWS 7" })
  expect(found).toEqual({ emails: wanted.emails, total: wanted.total })
  const listed = "SEARCH email_text USING COVERING INDEX email_text_range (project_id=? AND last_id<?)"
  const counted = "SEARCH email_text USING INTEGER PRIMARY KEY (rowid=?), SCAN json_each VIRTUAL TABLE INDEX 1:"
  const inGap = "SEARCH email USING INDEX email_recent (project_id=? AND id>? AND id<?)"
  const block = "SEARCH email_text USING INTEGER PRIMARY KEY (rowid=?)"
  const inBlock = "SEARCH email USING COVERING INDEX email_recent (project_id=? AND id>? AND id<?)"
  expect(here).toEqual([blocks, block, inBlock, inBlock, inBlock, byIds])
  expect(inPool).toEqual([listed, counted, inGap])
})
