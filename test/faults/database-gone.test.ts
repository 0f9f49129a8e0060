import { afterEach, beforeEach, expect, test } from "bun:test"
import { copyFileSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { startTestApp, type TestApp } from "../harness/app.ts"

let it: TestApp
let path: string
beforeEach(async () => {
  it = await startTestApp()
  path = join(it.folder, "mailstead.db")
  expect((await track()).status).toBe(200)
})
afterEach(() => it.close())

const track = () => it.api("POST /v1/track", { body: { email: "ada@example.com", event: "e" } })
const health = async () => (await it.api("GET /health", { key: "none" })).status

const harm = {
  deleted: () => rmSync(path),
  moved: () => renameSync(path, `${path}.old`),
  replaced: () => {
    copyFileSync(path, `${path}.new`)
    renameSync(`${path}.new`, path)
  },
  "without its log": () => rmSync(`${path}-wal`),
}

test.each(Object.entries(harm))("nothing is acknowledged when the database is %s", async (_, harmed) => {
  expect(await health()).toBe(200)
  harmed()
  const { status, body } = await track()
  expect([status, body.error.code]).toEqual([503, "STORE_UNAVAILABLE"])
  expect(await health()).toBe(503)
})

test("it is logged once even without writes, and the data can be read", async () => {
  await it.settle()
  const worker = it.app.modules.find(({ name }) => name === "instance")?.worker
  harm.moved()
  await worker?.drain()
  await worker?.drain()
  expect(it.complaints.filter(({ level }) => level === "error").map(({ message }) => message)).toEqual([
    `${path} was deleted or moved while the server runs. Nothing is written any more: put it back, or restart the server.`,
  ])
  expect((await it.api("GET /contacts")).body.data).toHaveLength(1)
})

test("writing continues when the database is restored", async () => {
  harm.moved()
  expect((await track()).status).toBe(503)
  renameSync(`${path}.old`, path)
  expect((await track()).status).toBe(200)
  it.clock.jump(5_000)
  expect(await health()).toBe(200)
})

test("a health check detects that commits succeed again, even without other writes", async () => {
  harm.moved()
  expect((await track()).status).toBe(503)
  renameSync(`${path}.old`, path)
  expect(await health()).toBe(503)
  it.clock.jump(5_000)
  expect(await health()).toBe(200)
})
