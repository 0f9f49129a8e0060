import type { Log } from "../kernel/log.ts"

/** The fields of a request in the log: nothing written by the client except its request id (contract A1.3). */
interface AnsweredRequest {
  readonly requestId: string | null
  readonly method: string
  /** The template of the path. */
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly projectId: string | null
}

/**
 * One line for each request, at level `debug`: it costs about 4 µs, a twentieth of a request that tracks an event, and more
 * in the journal that stores it. Those that the server failed are written at `info`, so that they are seen anyway.
 */
export function logRequest(log: Log, { requestId, method, route, status, ms, projectId }: AnsweredRequest): void {
  const level = levelOf(status)
  if (!log.writes(level)) return
  const fields = { requestId, method, route, status, ms: Math.round(ms * 100) / 100 }
  log[level]("Request", projectId === null ? fields : { ...fields, projectId })
}

export const levelOf = (status: number): "info" | "debug" => (status >= 500 ? "info" : "debug")
