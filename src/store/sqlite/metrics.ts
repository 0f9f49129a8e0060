import type { Histogram, Metrics } from "../../kernel/metrics.ts"

interface StoreMetrics {
  /** Prepared queries on the event loop. */
  readonly onLoop: Histogram
  /** Queries of the read pool. */
  readonly onPool: Histogram
  committed(units: number, ms: number): void
  failed(): void
}

/** Microseconds for a row by its key, seconds for a large count. */
const queryBounds = [0.00001, 0.00005, 0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]
const commitBounds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1]

export function createStoreMetrics(metrics: Metrics): StoreMetrics {
  const queries = metrics.histogram(
    "mailstead_db_query_duration_seconds",
    "Time of database queries: prepared ones on the event loop, and those of the read pool.",
    queryBounds,
    ["on"],
  )
  const commits = metrics
    .histogram("mailstead_db_commit_duration_seconds", "Time until a commit is on disk.", commitBounds)
    .of()
  const units = metrics.counter("mailstead_db_units_total", "Units of work that were committed.").of()
  const failures = metrics
    .counter("mailstead_db_failed_commits_total", "Transactions that could not be committed.")
    .of()
  return {
    onLoop: queries.of("loop"),
    onPool: queries.of("pool"),
    committed(count, ms) {
      units.add(count)
      commits.observe(ms / 1_000)
    },
    failed: () => failures.add(),
  }
}
