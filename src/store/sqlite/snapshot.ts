import { Database } from "bun:sqlite"
import { statSync } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import { dirname } from "node:path"
import type { Clock } from "../../kernel/clock.ts"
import { DomainError } from "../../kernel/errors.ts"
import { type Machine, machineOf } from "../machine.ts"
import { unusable } from "../unusable.ts"
import { keptLogBytes } from "./connection.ts"
import { pagesInLog, readWhole } from "./log-pages.ts"

/** A consistent state of a database while others continue writing to it. */
interface Snapshot {
  readonly bytes: number
  /** The file of the database in this state. Throws when the log has grown too long meanwhile. */
  read(): AsyncIterable<Uint8Array>
  close(): Promise<void>
}

const pieceBytes = 1_048_576
/** How often the start is retried because of a concurrent commit. */
const mostAttempts = 1_000
const pauseMs = 20

/**
 * Holds one state of the database without blocking writers. While a connection reads in a transaction, a checkpoint
 * moves no frame that is newer than that read from the log into the file, and the log does not restart. So each page is
 * in the log up to the read, or else in the file; the log grows meanwhile, to at most half of the space that would be
 * free without it. Pages that a checkpoint has moved are read from the log all the same, because a checkpoint skips
 * pages that later commits have written again, and those beyond a newer end of the database (SQLite, wal.c).
 *
 * Only for a process of its own: closing the file drops the locks of every connection of this process to it (POSIX
 * advisory locks).
 */
export async function holdSnapshot(
  path: string,
  clock: Clock,
  machine: Pick<Machine, "freeBytes"> = machineOf(dirname(path)),
): Promise<Snapshot> {
  const connections: Database[] = []
  const connect = (options: { readonly: true } | { readwrite: true }) => {
    const client = new Database(path, options)
    connections.push(client)
    client.run("PRAGMA busy_timeout = 5000")
    return client
  }
  const close = () => {
    for (const client of connections) client.close()
  }
  try {
    const log = createLogReader(connect({ readwrite: true }))
    const reader = connect({ readonly: true })
    const frames = await beginRead(reader, log, clock)
    const size = sizeOf(reader)
    const file = await open(path, "r")
    const logFile = frames === 0 ? undefined : await open(`${path}-wal`, "r")
    const newer = logFile && (await pagesInLog(logFile, frames, size.pageBytes))
    return {
      bytes: size.pages * size.pageBytes,
      async *read() {
        const pagesAtOnce = Math.max(1, Math.floor(pieceBytes / size.pageBytes))
        for (let page = 0; page < size.pages; page += pagesAtOnce) {
          const count = Math.min(pagesAtOnce, size.pages - page)
          const piece = new Uint8Array(count * size.pageBytes)
          await readWhole(file, piece, page * size.pageBytes)
          for (let at = 0; at < count; at++) {
            const offset = newer?.get(page + at + 1)
            if (logFile === undefined || offset === undefined) continue
            await readWhole(logFile, piece.subarray(at * size.pageBytes, (at + 1) * size.pageBytes), offset)
          }
          requireLogSpace(path, machine)
          yield piece
        }
      },
      async close() {
        reader.run("ROLLBACK")
        // Checkpoints the log, which may have become long, so that no commit of the server has to.
        log.checkpoint()
        close()
        await file.close()
        await logFile?.close()
      },
    }
  } catch (cause) {
    close()
    throw unusable(path, cause)
  }
}

/**
 * Throws when the log takes more than half of the space that would be free without it, and is longer than the size to
 * which it is truncated after a read.
 */
export function requireLogSpace(path: string, machine: Pick<Machine, "freeBytes">): void {
  const freeBytes = machine.freeBytes()
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
  if (log <= keptLogBytes || log <= freeBytes) return
  const sentence = `Reading was stopped, because what is written to ${path} meanwhile fills the disk: ${Math.floor(freeBytes / 1_048_576)} MB are free. Make space, or try again when less is written.`
  throw new DomainError("unavailable", "DISK_FULL", sentence)
}

const sizeOf = (reader: Database): { pages: number; pageBytes: number } =>
  reader
    .query<{ pages: number; pageBytes: number }, []>(
      "SELECT page_count AS pages, page_size AS pageBytes FROM pragma_page_count, pragma_page_size",
    )
    .get() ?? { pages: 0, pageBytes: 1 }

/**
 * The length of the log and the part of it that is in the database file, in pages; undefined when the database is busy.
 */
interface LogState {
  readonly busy: number
  readonly log: number
  readonly checkpointed: number
}

function createLogReader(client: Database) {
  const state = (mode: "NOOP" | "PASSIVE") => {
    const query = client.prepare<LogState, []>(`PRAGMA wal_checkpoint(${mode})`)
    return () => query.get() ?? { busy: 0, log: -1, checkpointed: -1 }
  }
  return { look: state("NOOP"), checkpoint: state("PASSIVE") }
}

/**
 * Begins a read between two equal readings of the log's length, so that the length is that of the read. Resolves to the
 * number of frames that belong to the read; 0 when all of them are in the file, because a writer may then restart the
 * log.
 */
async function beginRead(reader: Database, log: ReturnType<typeof createLogReader>, clock: Clock): Promise<number> {
  // Moves what it can into the file first: those pages need not be looked up in a long log.
  log.checkpoint()
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const before = log.look()
    reader.run("BEGIN")
    reader.query("SELECT count(*) FROM sqlite_schema").get()
    const after = log.look()
    const isSame = after.busy === 0 && before.log === after.log && log.look().log === after.log
    if (isSame) return after.checkpointed === after.log ? 0 : after.log
    reader.run("ROLLBACK")
    await clock.sleep(pauseMs, never)
  }
  throw new Error("Others write too often; try again")
}

const never = new AbortController().signal

/** The content of an open file. */
export async function* contentOf(file: FileHandle): AsyncIterable<Uint8Array> {
  for (let at = 0; ; ) {
    const piece = new Uint8Array(pieceBytes)
    const { bytesRead } = await file.read(piece, 0, piece.length, at)
    if (bytesRead === 0) return
    yield piece.subarray(0, bytesRead)
    at += bytesRead
  }
}

/** The name of the newest migration of a database. */
export function levelOf(path: string): string {
  let client: Database | undefined
  try {
    client = new Database(path, { readonly: true })
    return client.query<{ name: string | null }, []>("SELECT max(name) AS name FROM migration").get()?.name ?? ""
  } catch (cause) {
    throw unusable(path, cause)
  } finally {
    client?.close()
  }
}
