import { Database } from "bun:sqlite"
import { afterAll, beforeAll, expect } from "bun:test"
import { join } from "node:path"
import { drizzle } from "drizzle-orm/bun-sqlite"
import type { Db } from "../../src/store/database.ts"
import type { Unit } from "../../src/store/writer.ts"
import { startTestApp, type TestApp } from "./app.ts"

/** The query plans of SQLite, in the store of a separate app. */
interface Plans {
  /** Available between the first test of the file and the last. */
  readonly app: () => TestApp
  /** A separate connection to the store. */
  readonly db: () => Db
  /** One line for each table or index that a query uses. */
  explained(query: string, params?: readonly unknown[]): string[]
  /** The same for all queries of some work; its writes are rolled back. */
  plan(work: (db: Db, unit: Unit) => PromiseLike<unknown>): Promise<string[]>
}

/** To be called at the top of a test file. Lines that match `leftOut` are left out, because they use no stored table. */
export function queryPlans(leftOut: RegExp): Plans {
  let app: TestApp
  let client: Database
  beforeAll(async () => {
    app = await startTestApp()
    client = new Database(join(app.folder, "mailstead.db"))
    // The read pool's own.
    client.function("in_time", () => 1)
  })
  afterAll(async () => {
    client.close()
    await app.close()
  })

  const explained = (query: string, params: readonly unknown[] = []): string[] =>
    (client.query(`EXPLAIN QUERY PLAN ${query}`).all(...(params as never[])) as { detail: string }[])
      .map(({ detail }) => detail)
      .filter((detail) => !leftOut.test(detail))

  return {
    app: () => app,
    db: () => drizzle(client),
    explained,
    async plan(work) {
      const asked: string[] = []
      const db: Db = drizzle(client, { logger: { logQuery: (query) => asked.push(query) } })
      client.run("BEGIN")
      await work(db, { db, now: 1, afterCommit: () => {} })
      client.run("ROLLBACK")
      expect(asked.length).toBeGreaterThan(0)
      return asked.flatMap((query) => explained(query))
    },
  }
}
