import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { sql } from "drizzle-orm"
import { day } from "../../src/kernel/clock.ts"
import { type Browser, signIn, signUp } from "../harness/accounts.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { fillProject, type Keys } from "../harness/filled-project.ts"

/** Tables whose rows stay after a reset, or belong to the server. */
const notOfProject =
  /^(?:project|domain|member|audit|user|session|attempt|signal|cursor|recurring|contact_count|request|freed|account_token|alert|backup|dkim_key|report|sqlite_\w+|contact_search\w*|migration\w*)$/

/** Tables in which a filled project has no rows: those of work that has ended, and of mail that came in or was captured. */
const notFilled: ReadonlySet<string> = new Set([
  "bulk_error",
  "bulk_selection",
  "campaign_walk",
  "captured",
  "email_text",
  "field_drop",
  "parked_signal",
  "raw_message",
  "workflow_call",
])

let it: TestApp
let owner: Browser

/** The number of rows of each table with projects; only waiting jobs are counted. */
async function rowsByTable(): Promise<Record<string, number>> {
  const db = it.app.store.read
  const tables = await db.all<{ name: string }>(sql`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`)
  const found: Record<string, number> = {}
  for (const { name } of tables) {
    if (notOfProject.test(name)) continue
    const where = name === "job" ? sql`WHERE state = 'pending'` : sql``
    const [row] = await db.all<{ rows: number }>(sql`SELECT count(*) AS rows FROM ${sql.identifier(name)} ${where}`)
    found[name] = row?.rows ?? 0
  }
  return found
}

const files = (): string[] =>
  readdirSync(join(it.folder, "files"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)

beforeAll(async () => {
  it = await startTestApp()
  owner = await signUp(it, "owner@acme.test")
  await fillProject(it, it.project, "acme.test")
})
afterAll(() => it.close())

async function newProject(name: string): Promise<Keys & { public: string }> {
  return (await owner.api("POST /users/@me/projects", { body: { name } })).body
}

describe.each(["reset", "deletion"] as const)("After the %s of a project", (end) => {
  let before: Record<string, number>
  let filesBefore: string[]
  let project: Keys

  beforeAll(async () => {
    before = await rowsByTable()
    filesBefore = files()
    project = await newProject(`For ${end}`)
    await fillProject(it, project, `${end}.test`)
    expect(files().length).toBe(filesBefore.length + 2)
    const filled = await rowsByTable()
    const unfilled = Object.keys(filled).filter((table) => filled[table] === before[table] && !notFilled.has(table))
    expect(unfilled.map((table) => `${table}: create rows of it in test/harness/filled-project.ts`)).toEqual([])
    const P = `/users/@me/projects/${project.id}`
    const answer = await owner.api(end === "reset" ? `POST ${P}/reset` : `DELETE ${P}`)
    expect([answer.status, answer.body.success]).toEqual([200, true])
    await it.settle()
  })

  test("all of its rows are deleted, and none of another project", async () => {
    const after = await rowsByTable()
    // Files are deleted later.
    expect(after).toEqual({ ...before, job: (before.job ?? 0) + 1 })
  })

  test("its files are deleted a little later, and those of others stay", async () => {
    await it.advance({ minutes: 12 })
    expect(files().sort()).toEqual(filesBefore.sort())
    expect(existsSync(join(it.folder, "imports")) ? readdirSync(join(it.folder, "imports")) : []).toEqual([])
  })

  test("no waiting mail is sent, and nothing fails", async () => {
    const count = it.sent().length
    await it.advance({ days: 2 })
    const own = it
      .sent()
      .slice(count)
      .filter(({ projectId }) => projectId === project.id)
    expect(own).toEqual([])
    expect(it.complaints.filter(({ level }) => level === "error")).toEqual([])
  })
})

test("The files of a project are deleted a little later also when the clock is set back meanwhile", async () => {
  const before = files()
  const project = await newProject("Late")
  await fillProject(it, project, "late.test")
  it.clock.jump(day)
  owner = await signIn(it, "owner@acme.test")
  expect((await owner.api(`POST /users/@me/projects/${project.id}/reset`)).status).toBe(200)
  it.clock.jump(-day)
  await it.settle()
  await it.advance({ minutes: 12 })
  expect(files().sort()).toEqual(before.sort())
})

test("A project that was reset works like a new one: same content, same link, same file, same key", async () => {
  owner = await signIn(it, "owner@acme.test")
  const project = await newProject("Again")
  await fillProject(it, project, "again.test")
  expect((await owner.api(`POST /users/@me/projects/${project.id}/reset`)).status).toBe(200)
  const count = it.sent().length
  await fillProject(it, project, "again.test")
  await it.advance({ minutes: 30 })
  const sent = it
    .sent()
    .slice(count)
    .filter(({ projectId }) => projectId === project.id)
  expect(sent.some(({ subject }) => subject === "Hello")).toBe(true)
  const { body } = await it.api("GET /contacts", { key: project.secret })
  expect(body.total).toBe(3)
  const hello = sent.find(({ subject }) => subject === "Hello")
  const [click] = /\/t\/c\/[\w-]+/.exec(hello?.html ?? "") ?? []
  const answer = await it.api(`GET ${click}`, { key: "none" })
  expect([answer.status, answer.headers.get("location")]).toEqual([302, "https://example.com/x"])
})
