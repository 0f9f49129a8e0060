import type { Engine } from "../../engine.ts"
import { buildInfo } from "../../kernel/build-info.ts"
import type { Emails } from "../emails/index.ts"

export interface GaugeDeps {
  readonly emails: Pick<Emails, "countByStatus" | "countWaiting" | "queues">
}

/** Metrics that are read when they are collected: states, and counters of the operating system. */
export function createGauges(
  { store, bus, jobs, metrics, realClock }: Pick<Engine, "store" | "bus" | "jobs" | "metrics" | "realClock">,
  { emails }: GaugeDeps,
): void {
  const { gauge, counted } = metrics
  const startedAt = realClock.now() / 1_000

  gauge("mailstead_build_info", "1, with the version as a label.", ["version"], () => [[1, buildInfo.version]])
  gauge("mailstead_emails", "Messages in the ledger, by their present status.", ["status"], async () =>
    Array.from(await emails.countByStatus(), ([status, count]) => [count, status] as const),
  )
  gauge("mailstead_queue_messages", "Messages that wait to be sent, due or not, by lane.", ["lane"], async () =>
    Array.from(await emails.countWaiting(), ([lane, waiting]) => [waiting, lane] as const),
  )
  gauge(
    "mailstead_queue_age_seconds",
    "For how long the oldest waiting message of a lane has waited since it first was due.",
    ["lane"],
    async () => (await emails.queues()).map(({ lane, oldestMs }) => [oldestMs / 1_000, lane]),
  )
  gauge("mailstead_jobs_pending", "Background jobs that wait, due or not.", [], async () => [
    [await jobs.countPending()],
  ])
  gauge(
    "mailstead_bus_lag_seconds",
    "The age of the oldest signal that a subscriber has not handled.",
    ["subscriber"],
    async () => Array.from(await bus.lags(), ([subscriber, ms]) => [ms / 1_000, subscriber] as const),
  )
  gauge("mailstead_bus_parked_signals", "Signals that a subscriber could not handle.", [], async () => [
    [await bus.countParked()],
  ])
  gauge("mailstead_db_size_bytes", "The size of the database.", [], async () => [[(await store.space()).bytes]])
  gauge("mailstead_db_wal_size_bytes", "The size of the write-ahead log.", [], () => [[store.logBytes()]])

  counted("process_cpu_seconds_total", "Processor time of this process, user and system.", [], () => {
    const { user, system } = process.cpuUsage()
    return [[(user + system) / 1e6]]
  })
  gauge("process_resident_memory_bytes", "Memory of this process that is in RAM.", [], () => [
    [process.memoryUsage.rss()],
  ])
  gauge("process_start_time_seconds", "When this process started, in seconds since the epoch.", [], () => [[startedAt]])
}
