import { sql } from "drizzle-orm"
import type { Store } from "../../src/store/store.ts"

interface Refused {
  readonly change: "INSERT" | "UPDATE" | "DELETE"
  readonly table: string
  /** Only changes that give the row this status. */
  readonly status?: string
}

/**
 * From now on the database refuses these changes, as a faulty one would; resolves to what ends it. The only place of the
 * tests that knows how the engine does this.
 */
export async function refuseChanges(store: Pick<Store, "write">, { change, table, status }: Refused) {
  const name = `refused_${table}`
  const when = status === undefined ? "" : `WHEN NEW.status = '${status}'`
  const run = (text: string) => store.write("instance", async (unit) => void (await unit.db.run(sql.raw(text))))
  await run(`CREATE TRIGGER ${name} BEFORE ${change} ON ${table} ${when} BEGIN SELECT RAISE(ABORT, 'refused'); END`)
  return () => run(`DROP TRIGGER ${name}`)
}
