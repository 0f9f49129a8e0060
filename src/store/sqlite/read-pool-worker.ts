import { Database, type SQLQueryBindings } from "bun:sqlite"
import { setPriority } from "node:os"
import { countRecords } from "../text-block.ts"

/** A thread of `read-pool.ts`: runs one read at a time on a read-only connection. */
declare const self: Worker

interface Question {
  readonly path: string
  readonly sql: string
  readonly params: SQLQueryBindings[]
  readonly limitMs: number
  /** Not 0 once the pool closes. */
  readonly isClosing: Int32Array
}

/** The code of the fault when a read exceeded its limit. */
const slow = "TOO_SLOW"

/**
 * Requests and mail have priority. Only Linux has priorities of threads; elsewhere this would affect the whole process.
 */
if (process.platform === "linux") setPriority(0, 15)

let client: Database | undefined
/** The deadline of the running read, on the clock of this thread. */
let endsAt = 0
let isSlow = false
let isClosing: Int32Array

/** Without a question the connection is closed. */
self.onmessage = ({ data }: MessageEvent<Question | undefined>) => {
  if (data !== undefined) return answer(data)
  client?.close()
  self.postMessage({})
}

function answer({ path, sql, params, limitMs, ...question }: Question): void {
  endsAt = performance.now() + limitMs
  isSlow = false
  isClosing = question.isClosing
  try {
    client ??= open(path)
    // Statements are not cached: they run long here, and their text may contain values that never recur. One that is not
    // finalized would keep the connection open.
    using statement = client.prepare(sql)
    const rows = statement.values(...params)
    self.postMessage({ rows })
  } catch (cause) {
    const { message, code } = cause as { message?: string; code?: string }
    self.postMessage({ fault: { message: message ?? String(cause), code: isSlow ? slow : code } })
  }
}

function open(path: string): Database {
  const opened = new Database(path, { readonly: true })
  opened.run("PRAGMA busy_timeout = 5000")
  opened.run("PRAGMA cache_size = -16384")
  opened.run("PRAGMA temp_store = MEMORY")
  // A thread cannot be ended while SQLite works, so the query checks the time itself, once for each row.
  opened.function("in_time", () => {
    isSlow = performance.now() >= endsAt
    if (isSlow) throw new Error("The read takes too long.")
    if (Atomics.load(isClosing, 0) !== 0) throw new Error("The server is stopping.")
    return 1
  })
  opened.function("count_records", (own: Uint8Array, shared: Uint8Array, starts: string, text: string) =>
    countRecords(own, shared, starts, text),
  )
  return opened
}
