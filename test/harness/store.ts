import { afterAll } from "bun:test"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { asc, sql } from "drizzle-orm"
import { sqliteTable } from "drizzle-orm/sqlite-core"
import type { Clock } from "../../src/kernel/clock.ts"
import { createLog, type Fields, type Level, type Log } from "../../src/kernel/log.ts"
import { count, string } from "../../src/store/columns.ts"
import type { Db } from "../../src/store/database.ts"
import { openStore, type Store, type StoreOptions } from "../../src/store/store.ts"
import type { Unit } from "../../src/store/writer.ts"
import { createFakeClock, type FakeClock } from "./fake-clock.ts"

/** Creates folders for the tests of one file and removes them after the last. */
export function scratch(): () => string {
  const made: string[] = []
  afterAll(() => {
    for (const folder of made) rmSync(folder, { recursive: true, force: true })
  })
  return () => {
    const folder = mkdtempSync(join(tmpdir(), "mailstead-test-"))
    made.push(folder)
    return folder
  }
}

export interface LogRecord {
  readonly level: Level
  readonly message: string
  readonly fields: Fields
}

export function recordingLog(): { readonly log: Log; readonly records: LogRecord[] } {
  const records: LogRecord[] = []
  return { log: createLog((level, message, fields) => records.push({ level, message, fields }), "warn"), records }
}

/** A table for tests that only need something to write to. */
export const noteTable = sqliteTable("note", { name: string("name").primaryKey(), size: count("size").notNull() })

export const addNote = (unit: Unit, name: string, size = 0): Promise<unknown> =>
  Promise.resolve(unit.db.insert(noteTable).values({ name, size }))

export const noteNames = async (db: Db): Promise<string[]> =>
  (await db.select().from(noteTable).orderBy(asc(noteTable.name))).map(({ name }) => name)

export interface TestStore extends Store {
  readonly clock: FakeClock
  readonly records: LogRecord[]
}

/** The real store in a folder, with the table of notes. */
export async function openTestStore(
  folder: string,
  clock: Clock = createFakeClock(),
  options: Pick<StoreOptions, "readLimitMs" | "syncFile"> = {},
): Promise<TestStore> {
  const { log, records } = recordingLog()
  const store = openStore({ folder, clock, log, holder: "the test", ...options })
  await store.write("instance", async (unit) => {
    await unit.db.run(sql`CREATE TABLE IF NOT EXISTS note (name TEXT PRIMARY KEY, size INTEGER NOT NULL)`)
  })
  return { ...store, clock: clock as FakeClock, records }
}

/** Syncs of the log that a test lets end, one at a time. */
export interface HeldSyncs {
  readonly syncFile: (fd: number) => Promise<void>
  /** How many were begun. */
  readonly begun: number
  /** From now on syncs wait for `release` or `fail`. */
  hold(): void
  /** Ends the running sync, and lets the next ones run freely. */
  release(): void
  /** The running sync, or the next one, fails as on a broken disk. */
  fail(): void
}

export function heldSyncs(): HeldSyncs {
  let held: PromiseWithResolvers<void> | undefined
  let begun = 0
  return {
    syncFile: async () => {
      begun++
      await held?.promise
    },
    get begun() {
      return begun
    },
    hold() {
      held = Promise.withResolvers()
      // It may fail before anybody waits for it.
      held.promise.catch(() => {})
    },
    release() {
      held?.resolve()
      held = undefined
    },
    fail() {
      held ??= Promise.withResolvers()
      held.promise.catch(() => {})
      held.reject(Object.assign(new Error("i/o error, fdatasync"), { code: "EIO" }))
    },
  }
}

/** No write can grow the database file, as on a full disk; its free pages can still be written. Ends with `freeDisk`. */
export const fillDisk = (store: Store): Promise<void> => limitPages(store, 1)
export const freeDisk = (store: Store): Promise<void> => limitPages(store, 1_073_741_823)

/** Sets the engine's limit, which is never below the present size. */
async function limitPages(store: Store, pages: number): Promise<void> {
  const set = () =>
    store.write("instance", async (unit) => void (await unit.db.all(sql.raw(`PRAGMA max_page_count = ${pages}`))))
  // It may share its commit with a unit that needs more space, and then fails with it.
  await until(() =>
    set().then(
      () => true,
      () => false,
    ),
  )
}

/**
 * Transactions that were committed to the write-ahead log, as it lies on disk: frames that carry the size of the
 * database after them (SQLite file format, 4.1).
 */
export function commitsIn(folder: string): number {
  const path = join(folder, "mailstead.db-wal")
  const log = existsSync(path) ? readFileSync(path) : Buffer.alloc(0)
  if (log.length < 32) return 0
  const [pageSize, salt] = [log.readUInt32BE(8), log.subarray(16, 24)]
  let commits = 0
  for (let at = 32; at + 24 + pageSize <= log.length; at += 24 + pageSize)
    if (log.subarray(at + 8, at + 16).equals(salt) && log.readUInt32BE(at + 4) > 0) commits++
  return commits
}

/** What this process does itself holds within so many turns of its event loop. */
const ownTurns = 100

/**
 * Yields to the event loop until something holds; throws shortly before the test would time out. Other processes get the
 * processor while it waits for them.
 */
export async function until(holds: () => unknown): Promise<void> {
  const end = performance.now() + 100_000
  for (let turn = 0; !(await holds()); turn++) {
    if (performance.now() > end) throw new Error(`This never became true: ${holds}`)
    await (turn < ownTurns ? new Promise(setImmediate) : Bun.sleep(1))
  }
}

/** Resolves when the waiting writes, and those that they directly cause, are done or have failed. */
export async function writesDone(store: Store): Promise<void> {
  for (let round = 0; round < 5; round++) await store.write("instance", async () => {}).catch(() => {})
}
