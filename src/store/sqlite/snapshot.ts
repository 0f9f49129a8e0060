import { Database } from "bun:sqlite"
import { statSync } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import { dirname } from "node:path"
import { type Clock, minute } from "../../kernel/clock.ts"
import { DomainError } from "../../kernel/errors.ts"
import { type Machine, machineOf } from "../machine.ts"
import { unusable } from "../unusable.ts"
import { keptLogBytes } from "./connection.ts"

/** One state of a database that others go on writing to. */
export interface Snapshot {
  readonly bytes: number
  /** The file of the database in this state. Throws when the log has grown too long meanwhile. */
  read(): AsyncIterable<Uint8Array>
  close(): Promise<void>
}

const pieceBytes = 1_048_576
/** How long other reads may hold the file back, in ms. A program that replicates the log does so for a minute. */
const longestMs = 3 * minute
const pauseMs = 20

/**
 * Holds one state of the database file, without keeping anybody from writing. While a connection reads in a transaction,
 * a checkpoint moves nothing newer than that read from the log into the file. Once it has moved everything up to there,
 * the file is that state, and stays so until the transaction ends; only the log grows meanwhile, to at most half of the space
 * that is free without it.
 *
 * Only for a process of its own: closing the file drops the locks of every connection of this process to it
 * (POSIX advisory locks).
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
    await settleFile(reader, log, clock)
    const bytes = bytesOf(reader)
    const file = await open(path, "r")
    return {
      bytes,
      async *read() {
        for await (const piece of contentOf(file, bytes)) {
          requireSpace(path, machine.freeBytes())
          yield piece
        }
      },
      async close() {
        reader.run("ROLLBACK")
        // The log may have become long; otherwise a commit of the server would have to move it into the file.
        log.checkpoint()
        close()
        await file.close()
      },
    }
  } catch (cause) {
    close()
    throw unusable(path, cause)
  }
}

function requireSpace(path: string, freeBytes: number): void {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
  if (log <= keptLogBytes || log <= freeBytes) return
  const sentence = `Reading was stopped, because what is written to ${path} meanwhile fills the disk: ${Math.floor(freeBytes / 1_048_576)} MB are free. Make space, or try again when less is written.`
  throw new DomainError("unavailable", "DISK_FULL", sentence)
}

const bytesOf = (reader: Database): number =>
  reader
    .query<{ bytes: number }, []>("SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size")
    .get()?.bytes ?? 0

/** The length of the log, and how much of it is in the file, in pages. */
interface LogState {
  readonly log: number
  readonly checkpointed: number
}

function createLogReader(client: Database) {
  const state = (mode: "NOOP" | "PASSIVE") => {
    const query = client.prepare<LogState, []>(`PRAGMA wal_checkpoint(${mode})`)
    return () => query.get() ?? { log: -1, checkpointed: -1 }
  }
  return { look: state("NOOP"), checkpoint: state("PASSIVE") }
}

/** Begins a read of which all is in the file. Another commit or another long read may come between: then it begins anew. */
async function settleFile(reader: Database, log: ReturnType<typeof createLogReader>, clock: Clock): Promise<void> {
  const end = clock.now() + longestMs
  for (;;) {
    const before = log.look()
    reader.run("BEGIN")
    reader.query("SELECT count(*) FROM sqlite_schema").get()
    const mark = log.look()
    // The read is not newer than the mark, and no checkpoint goes past the read: what reaches the mark has reached both.
    for (;;) {
      log.checkpoint()
      const { checkpointed } = log.look()
      if (checkpointed >= mark.log) return
      if (before.log !== mark.log || clock.now() > end) break
      await clock.sleep(pauseMs, never)
    }
    reader.run("ROLLBACK")
    if (clock.now() > end) throw new Error("Other reads have held the database for too long; try again")
  }
}

const never = new AbortController().signal

/** The content of an open file, up to a length. */
export async function* contentOf(file: FileHandle, bytes = Number.POSITIVE_INFINITY): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes; ) {
    const piece = new Uint8Array(Math.min(pieceBytes, bytes - at))
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
