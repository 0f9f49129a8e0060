import { SQLiteSession } from "drizzle-orm/sqlite-core"

type Build = (query: { readonly sql: string }, ...rest: unknown[]) => unknown

/** The one place where Drizzle makes a statement that is run once; a prepared query does not come here. */
const session = SQLiteSession.prototype as unknown as { prepareOneTimeQuery: Build }

/** Counts how often each query is built while `act` runs. */
export async function countBuiltQueries(act: () => Promise<unknown>): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  const build = session.prepareOneTimeQuery
  session.prepareOneTimeQuery = function (this: unknown, query, ...rest) {
    counts.set(query.sql, (counts.get(query.sql) ?? 0) + 1)
    return build.call(this, query, ...rest)
  }
  try {
    await act()
  } finally {
    session.prepareOneTimeQuery = build
  }
  return counts
}
