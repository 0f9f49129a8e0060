/** Structured log: one line per record, fields beside the text. Never carries secrets or message bodies. */
export interface Log {
  debug(message: string, fields?: Fields): void
  info(message: string, fields?: Fields): void
  warn(message: string, fields?: Fields): void
  error(message: string, fields?: Fields): void
  with(fields: Fields): Log
  /** Whether records of this level are written: asked before a record is made for every request. */
  writes(level: Level): boolean
}

export type Fields = Record<string, unknown>
export type Level = "debug" | "info" | "warn" | "error"
type Sink = (level: Level, message: string, fields: Fields) => void

const rank: Record<Level, number> = { debug: 0, info: 1, warn: 2, error: 3 }

export function createLog(sink: Sink, least: Level = "info", bound: Fields = {}): Log {
  const at =
    (level: Level) =>
    (message: string, fields: Fields = {}) => {
      if (rank[level] >= rank[least]) sink(level, message, { ...bound, ...fields })
    }
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    writes: (level) => rank[level] >= rank[least],
    with: (fields) => createLog(sink, least, { ...bound, ...fields }),
  }
}

export const silentLog: Log = createLog(() => {}, "error")

/**
 * The message of a thrown value of unknown type. The message of a failed query contains the values of its parameters,
 * which may be addresses, keys and bodies, so the message of the database itself is used instead.
 */
export function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return "params" in cause && cause.cause instanceof Error ? cause.cause.message : cause.message
}

/** As `reasonOf`; of an error of the system without its code, call and path: `permission denied`. */
export function plainReasonOf(cause: unknown): string {
  const reason = reasonOf(cause)
  const isOfTheSystem = cause instanceof Error && "syscall" in cause
  return isOfTheSystem ? reason.replace(/^[A-Z][A-Z0-9]*: (.*?)(?:, \w+(?: '.*')?)?$/s, "$1") : reason
}
