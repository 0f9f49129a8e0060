import { Database, type SQLQueryBindings } from "bun:sqlite"
import { countRecords } from "../text-block.ts"

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

let client: Database | undefined
/** The deadline of the running read, on the clock of this thread. */
let endsAt = 0
let isSlow = false
let isClosing: Int32Array

/** Runs the reads of `read-pool.ts` on this thread, one at a time. Without a question the connection is closed. */
export function serveReads(thread: Worker): void {
  thread.onmessage = ({ data }: MessageEvent<Question | undefined>) => {
    if (data !== undefined) return thread.postMessage(answerTo(data))
    client?.close()
    client = undefined
    thread.postMessage({})
  }
}

function answerTo({ path, sql, params, limitMs, ...question }: Question) {
  endsAt = performance.now() + limitMs
  isSlow = false
  isClosing = question.isClosing
  try {
    client ??= open(path)
    // Statements are not cached: they run long here, and their text may contain values that never recur. One that is not
    // finalized would keep the connection open.
    using statement = client.prepare(sql)
    return { rows: statement.values(...params) }
  } catch (cause) {
    const { message, code } = cause as { message?: string; code?: string }
    return { fault: { message: message ?? String(cause), code: isSlow ? slow : code } }
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
