import { fstatSync } from "node:fs"
import type { Config } from "../config.ts"
import { iso, systemClock } from "../kernel/clock.ts"
import { createLog, type Level, type Log, reasonOf } from "../kernel/log.ts"
import type { Io } from "./args.ts"

/** The log of a server: lines on standard error, as text for people or JSON for programs. */
export function logTo(io: Pick<Io, "stderr" | "env">, { level, format }: Config["log"]): Log {
  const mark = markOf(io)
  return createLog((level, message, fields) => {
    const say = (line: string) => io.stderr(`${mark(level)}${line}\n`)
    const at = iso(systemClock.now())
    if (format === "json") return say(JSON.stringify({ at, level, message, ...fields }))
    const rest = Object.entries(fields).map(([name, value]) => `${name}=${shown(value)}`)
    say([at, level.padEnd(5), onOneLine(message), ...rest].join(" "))
  }, level)
}

/** Those of syslog(3). */
const priorities: Record<Level, number> = { debug: 7, info: 6, warn: 4, error: 3 }

/**
 * The mark at the start of a line that gives it a priority where standard error is the journal of systemd, which removes
 * it (sd-daemon(3)): without one all lines have the same priority. Elsewhere it is empty.
 */
export function markOf({ env }: Pick<Io, "env">): (level: Level) => string {
  return isJournal(env.JOURNAL_STREAM) ? (level) => `<${priorities[level]}>` : () => ""
}

/** The variable names the file that systemd has opened (systemd.exec(5)); standard error may be another one by now. */
function isJournal(stream: string | undefined): boolean {
  if (stream === undefined) return false
  try {
    const { dev, ino } = fstatSync(2)
    return stream === `${dev}:${ino}`
  } catch {
    return false
  }
}

/** A message may quote others, such as the error of a transport plugin. */
const onOneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ")

const shown = (value: unknown): string =>
  typeof value === "string" && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)

/**
 * Logs uncaught errors, such as one in a timer of a transport plugin, which the runtime would print in its own format;
 * as then, the server keeps running. Returns a function that ends this.
 */
export function logUncaught(log: Log): () => void {
  const tell = (cause: unknown): void =>
    log.error("An error was not caught", {
      reason: reasonOf(cause),
      ...(cause instanceof Error && { stack: cause.stack }),
    })
  const events = ["uncaughtException", "unhandledRejection"] as const
  for (const event of events) process.on(event, tell)
  return () => {
    for (const event of events) process.off(event, tell)
  }
}
