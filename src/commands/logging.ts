import type { Config } from "../config.ts"
import { iso, systemClock } from "../kernel/clock.ts"
import { createLog, type Log, reasonOf } from "../kernel/log.ts"
import type { Io } from "./args.ts"

/** The log of a server: lines on standard error, as text for people or JSON for programs. */
export function logTo(io: Pick<Io, "stderr">, { level, format }: Config["log"]): Log {
  return createLog((level, message, fields) => {
    const at = iso(systemClock.now())
    if (format === "json") return io.stderr(`${JSON.stringify({ at, level, message, ...fields })}\n`)
    const rest = Object.entries(fields).map(([name, value]) => `${name}=${shown(value)}`)
    io.stderr(`${[at, level.padEnd(5), onOneLine(message), ...rest].join(" ")}\n`)
  }, level)
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
