import type { Database } from "bun:sqlite"
import { existsSync, statSync } from "node:fs"
import { sql } from "drizzle-orm"
import type { Clock } from "../../kernel/clock.ts"
import { DomainError } from "../../kernel/errors.ts"
import { type Log, reasonOf } from "../../kernel/log.ts"
import type { Metrics } from "../../kernel/metrics.ts"
import type { StoreEngine } from "../engine.ts"
import { migrations } from "../migrations/index.ts"
import { measureQueries } from "../prepare.ts"
import { unusable } from "../unusable.ts"
import { createCheckpoints } from "./checkpoints.ts"
import { createCommitHealth } from "./commit-health.ts"
import { busyMs, type Handle, openReader, openWriter } from "./connection.ts"
import { createDatabase } from "./create-database.ts"
import { watchDataVersion } from "./data-version.ts"
import { watchFiles } from "./file-watch.ts"
import { createLogSync, type SyncFile } from "./log-sync.ts"
import { createStoreMetrics } from "./metrics.ts"
import { migrate, pendingMigrations, refuseForeign } from "./migrate.ts"
import { createReadPool, type ReadThreads } from "./read-pool.ts"
import { allowShrinking, cutPages, spaceOf } from "./space.ts"
import { createWriter } from "./writer.ts"

interface SqliteOptions {
  readonly path: string
  readonly clock: Clock
  readonly realClock: Clock
  readonly log: Log
  /**
   * Whether this process has exclusive use of the file: only then it is migrated, and its log checkpointed at the end.
   */
  readonly isExclusive: boolean
  readonly readLimitMs: number
  readonly metrics: Metrics
  readonly syncFile?: SyncFile | undefined
  readonly readThreads?: ReadThreads | undefined
}

/** Opens the database file, creating it when missing: one writing connection, one that reads, and the read pool. */
export function openSqlite(options: SqliteOptions): StoreEngine {
  const { path, clock, realClock, log, isExclusive, readLimitMs, metrics, syncFile, readThreads } = options
  try {
    if (isExclusive && !existsSync(path)) createDatabase(path, clock.now())
    const writer = openWriter(path, (client) => refuseForeign(client, path))
    let reader: Handle
    try {
      if (isExclusive) {
        migrate(writer.client, path, clock.now(), migrations, log)
        allowShrinking(writer.client, path, log)
        emptyLog(writer.client, log)
      } else if (pendingMigrations(writer.client, path).length > 0) throw olderVersion(path)
      reader = openReader(path)
    } catch (cause) {
      writer.client.close()
      throw cause
    }
    // The reader counts all commits, the writer only those of other processes.
    const [seen, ofOthers] = [watchDataVersion(reader.client), watchDataVersion(writer.client)]
    const measured = createStoreMetrics(metrics)
    for (const { db } of [writer, reader]) measureQueries(db, measured.onLoop)
    const checkpoints = createCheckpoints(path, writer.client, log)
    const files = watchFiles(path, log)
    const logSync = createLogSync(path, log, syncFile)
    // Always changes the page, so that the commit needs space in the log.
    const health = createCommitHealth(realClock, () =>
      units.write("instance", async (unit) => void (await unit.db.all(sql.raw("PRAGMA user_version = 0")))),
    )
    const units = createWriter(
      writer.client,
      writer.db,
      { clock, realClock, log },
      {
        beginning() {
          logSync.requireSound()
          files.requireSame()
        },
        sync: logSync.request,
        committed(units, ms) {
          seen.forget()
          measured.committed(units, ms)
          checkpoints.committed()
        },
        synced: health.committed,
        failed() {
          measured.failed()
          health.failed()
        },
      },
    )
    const readPool = createReadPool(path, readLimitMs, {
      clock: realClock,
      source: readThreads,
      durations: measured.onPool,
    })
    return {
      read: reader.db,
      readPool,
      write: units.write,
      preferDelivery: units.preferDelivery,
      settled: units.settled,
      changes: seen.current,
      changesOfOthers: ofOthers.current,
      space: () => spaceOf(reader.db),
      logBytes: () => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
      async faults() {
        const rows = await readPool.read("faults", (db) => db.values<[string]>(sql.raw("PRAGMA quick_check(3)")))
        return rows.flatMap(([text]) => (text === "ok" ? [] : text.split("\n")))
      },
      cutPages,
      releaseMemory() {
        for (const { client } of [writer, reader]) client.run("PRAGMA shrink_memory")
        checkpoints.releaseMemory()
        readPool.releaseMemory()
      },
      async check() {
        logSync.requireSound()
        files.requireSame()
        files.requireWritable()
        await health.check()
      },
      async close() {
        const poolClosed = readPool.close()
        await units.close()
        await checkpoints.close()
        // A connection that closes runs a checkpoint, and meanwhile the log cannot be emptied.
        await poolClosed
        logSync.close()
        seen.close()
        ofOthers.close()
        reader.client.close()
        if (!logSync.isSound) leaveLog(writer.client)
        else if (isExclusive) emptyLog(writer.client, log)
        writer.client.close()
      },
    }
  } catch (cause) {
    throw isSqlite(cause) ? unusable(path, cause) : cause
  }
}

const olderVersion = (path: string): DomainError =>
  new DomainError(
    "unavailable",
    "STORE_UNUSABLE",
    `${path} is of an older version of Mailstead. If the server is just migrating it, wait for that. Otherwise stop the server if it runs, then run \`mailstead migrate\`, or start the server in this version.`,
  )

/**
 * Moves the whole log into the database file, so that a closed store is a single file, and so that new commits do not
 * follow frames in the log that may not be on disk.
 */
function emptyLog(client: Database, log: Log): void {
  const stays = (reason: string) => log.warn("The write-ahead log stays beside the database", { reason })
  try {
    // For this checkpoint only: the writer has no busy timeout, because it waits for others in its own way.
    client.run(`PRAGMA busy_timeout = ${busyMs}`)
    using checkpoint = client.prepare<{ busy: number }, []>("PRAGMA wal_checkpoint(TRUNCATE)")
    if (checkpoint.get()?.busy !== 0) stays("another connection uses it")
  } catch (cause) {
    stays(reasonOf(cause))
  }
}

/** SQLITE_FCNTL_NULL_IO: the connection neither reads nor writes the database file any more. */
const nullIo = 43

/**
 * Prevents the checkpoint that closing the last connection would run: pages of the log may be lost although they look
 * written, and only the recovery at the next start checks each frame.
 */
function leaveLog(client: Database): void {
  client.fileControl(nullIo, 0)
}

const isSqlite = (cause: unknown): boolean =>
  String((cause as { code?: unknown } | null)?.code ?? "").startsWith("SQLITE_")
