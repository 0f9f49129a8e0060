import type { Histogram } from "../kernel/metrics.ts"
import type { Db } from "./database.ts"
import { type PreparedQuery, quickQuery } from "./quick-query.ts"

interface Preparable<R> {
  prepare(): PreparedQuery<R>
}

const durations = new WeakMap<Db, Histogram>()

/** Adds the seconds that each prepared query on this handle takes to a histogram. */
export function measureQueries(db: Db, histogram: Histogram): void {
  durations.set(db, histogram)
}

/**
 * A query that is built once per database handle and then only run: building costs about 100 µs, running about 2 µs.
 * Placeholders are `sql.placeholder(name)`.
 */
export function prepare<P extends Record<string, unknown>, R>(build: (db: Db) => Preparable<R>) {
  const prepared = new WeakMap<Db, (values: P) => Promise<R> | R>()
  return async (db: Db, values: P): Promise<R> => {
    let run = prepared.get(db)
    if (run === undefined) {
      run = measured(quickQuery(build(db).prepare()), durations.get(db))
      prepared.set(db, run)
    }
    return run(values)
  }
}

/** Only what runs within the call is measured, as all of SQLite does. */
function measured<P, R>(run: (values: P) => R, duration: Histogram | undefined): (values: P) => R {
  if (duration === undefined) return run
  return (values) => {
    const began = performance.now()
    try {
      return run(values)
    } finally {
      duration.observe((performance.now() - began) / 1_000)
    }
  }
}
