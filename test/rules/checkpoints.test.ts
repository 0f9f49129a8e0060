import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { statSync } from "node:fs"
import { join } from "node:path"
import { sql } from "drizzle-orm"
import { createCheckpoints, type StartThread } from "../../src/store/sqlite/checkpoints.ts"
import { addNote, openTestStore, recordingLog, scratch, type TestStore } from "../harness/store.ts"

const folder = scratch()

/** Writes a row of `kilobytes`; four of them are one more page in the log. */
const addText = (store: TestStore, kilobytes: number) =>
  store.write("instance", (unit) =>
    Promise.resolve(unit.db.run(sql`INSERT INTO filler VALUES (randomblob(${kilobytes * 1_024}))`)),
  )

async function openFiller(home: string): Promise<TestStore> {
  const store = await openTestStore(home)
  await store.write("instance", (unit) => Promise.resolve(unit.db.run(sql`CREATE TABLE filler (bytes BLOB)`)))
  return store
}

/** The log as seen by another connection, in pages. */
function logOf(home: string): { log: number; checkpointed: number } {
  using stranger = new Database(join(home, "mailstead.db"))
  return stranger.query<{ log: number; checkpointed: number }, []>("PRAGMA wal_checkpoint(NOOP)").get() as never
}

test("a long log is checkpointed and restarted, while units continue", async () => {
  const home = folder()
  const store = await openFiller(home)
  for (let n = 0; n < 24; n++) await addText(store, 1_024)
  // It would keep its length if it were not checkpointed completely.
  for (let n = 0; logOf(home).log >= 4_000; n++) {
    await store.write("instance", (unit) => addNote(unit, `n${n}`))
    await new Promise(setImmediate)
  }
  expect(statSync(join(home, "mailstead.db")).size).toBeGreaterThan(8 * 1_048_576)
  expect(store.records).toEqual([])
  await store.close()
  expect(statSync(join(home, "mailstead.db")).size).toBeGreaterThan(24 * 1_048_576)
})

test("a short log is not checkpointed", async () => {
  const home = folder()
  const store = await openFiller(home)
  for (let n = 0; n < 8; n++) await addText(store, 1_024)
  expect(logOf(home)).toMatchObject({ checkpointed: 0 })
  await store.close()
})

/** A connection with its own log and a thread controlled by the test. */
function connected(start: StartThread) {
  const path = join(folder(), "mailstead.db")
  const client = new Database(path, { create: true })
  client.run("PRAGMA journal_mode = WAL")
  client.run("PRAGMA wal_autocheckpoint = 0")
  client.run("CREATE TABLE filler (bytes BLOB)")
  const { log, records } = recordingLog()
  return {
    path,
    client,
    records,
    checkpoints: createCheckpoints(path, client, log, start),
    grow: (megabytes: number) => client.run("INSERT INTO filler VALUES (randomblob(?))", [megabytes * 1_048_576]),
  }
}

type Thread = ReturnType<StartThread>

/** A thread that records its requests. */
function idleThread() {
  const asked: string[] = []
  const thread: Thread & { ended?: boolean } = {
    onmessage: null,
    onerror: null,
    postMessage: (path: string) => {
      asked.push(path)
    },
    terminate: () => {
      thread.ended = true
    },
  }
  return { thread, asked }
}

const answer = (thread: Thread) => (thread.onmessage as () => void)()
const fail = (thread: Thread, message: string) => (thread.onerror as unknown as (event: object) => void)({ message })

test("one checkpoint runs at a time, and closing waits for it", async () => {
  const { thread, asked } = idleThread()
  const { path, checkpoints, grow, client } = connected(() => thread)
  checkpoints.committed()
  expect(asked).toEqual([])
  grow(20)
  checkpoints.committed()
  checkpoints.committed()
  expect(asked).toEqual([path])
  const closed = checkpoints.close()
  await Promise.resolve()
  expect(thread.ended).toBeUndefined()
  answer(thread)
  await closed
  expect(thread.ended).toBe(true)
  client.close()
})

test("while a long read holds the log, the thread gets another request only when the log has grown", async () => {
  const { thread, asked } = idleThread()
  const { checkpoints, grow, client } = connected(() => thread)
  grow(20)
  checkpoints.committed()
  answer(thread)
  for (let n = 0; n < 10; n++) checkpoints.committed()
  expect(asked).toHaveLength(1)
  grow(3)
  checkpoints.committed()
  expect(asked).toHaveLength(2)
  answer(thread)
  await checkpoints.close()
  client.close()
})

test("when the thread fails, commits run the checkpoints, and the reason is logged", async () => {
  const { thread, asked } = idleThread()
  const { checkpoints, grow, client, records } = connected(() => thread)
  grow(20)
  checkpoints.committed()
  fail(thread, "disk I/O error")
  expect(client.query("PRAGMA wal_autocheckpoint").get()).toEqual({ wal_autocheckpoint: 4_000 })
  expect(records).toMatchObject([{ level: "warn", fields: { reason: "disk I/O error" } }])
  grow(20)
  checkpoints.committed()
  expect(asked).toHaveLength(1)
  await checkpoints.close()
  client.close()
})
