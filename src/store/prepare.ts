import type { Db } from "./database.ts"

interface Preparable<R> {
  prepare(): { execute(values?: Record<string, unknown>): Promise<R> | R }
}

/**
 * A query that is built once per database handle and then only run: building costs about 100 µs, running about 2 µs.
 * Placeholders are `sql.placeholder(name)`.
 */
export function prepare<P extends Record<string, unknown>, R>(build: (db: Db) => Preparable<R>) {
  const prepared = new WeakMap<Db, ReturnType<Preparable<R>["prepare"]>>()
  return async (db: Db, values: P): Promise<R> => {
    let query = prepared.get(db)
    if (query === undefined) {
      query = build(db).prepare()
      prepared.set(db, query)
    }
    return query.execute(values)
  }
}
