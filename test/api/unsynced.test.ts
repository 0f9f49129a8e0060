import { afterEach, expect, test } from "bun:test"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { commitsIn, type HeldSyncs, heldSyncs, until } from "../harness/store.ts"

let it: TestApp
let syncs: HeldSyncs

async function start(): Promise<void> {
  syncs = heldSyncs()
  it = await startTestApp({ overrides: { syncFile: syncs.syncFile } })
  await it.settle()
}
afterEach(async () => {
  syncs.release()
  await it.close()
})

const event = { email: "ada@example.com", event: "signed_up" }
const track = (headers: Record<string, string> = {}) => it.api("POST /v1/track", { body: event, headers })

/** A request whose effects are committed, but not synced: it waits for `release`. */
async function unsynced(headers?: Record<string, string>) {
  syncs.hold()
  const before = commitsIn(it.folder)
  const answer = track(headers)
  await until(() => commitsIn(it.folder) > before)
  return { answer }
}

/** Whether it is answered without a sync. */
async function isAnswered(request: Promise<unknown>): Promise<boolean> {
  let answered = false
  void request.then(() => {
    answered = true
  })
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
  return answered
}

test("an answer that shows a row waits until it is on disk", async () => {
  await start()
  const { answer: tracked } = await unsynced()
  const list = it.api("GET /contacts")
  expect(await isAnswered(list)).toBe(false)
  syncs.release()
  expect((await tracked).status).toBe(200)
  expect((await list).body.data).toMatchObject([{ email: event.email }])
  expect(await isAnswered(it.api("GET /contacts"))).toBe(true)
})

test("a repetition learns that its key was used only when the first request is on disk", async () => {
  await start()
  const headers = { "Idempotency-Key": "order-1" }
  const { answer: first } = await unsynced(headers)
  const second = track(headers)
  expect(await isAnswered(second)).toBe(false)
  syncs.release()
  expect((await first).status).toBe(200)
  expect((await second).status).toBe(409)
})

test("after a failed sync writes and the health check are refused, and reads are answered", async () => {
  await start()
  expect((await track()).status).toBe(200)
  syncs.fail()
  const refused = { status: 503, body: { error: { code: "STORE_UNAVAILABLE" } } }
  expect(await track()).toMatchObject(refused)
  syncs.release()
  it.clock.jump(60_000)
  expect(await track()).toMatchObject(refused)
  expect((await it.api("GET /health")).status).toBe(503)
  expect((await it.api("GET /contacts")).body.data).toMatchObject([{ email: event.email }])
})
