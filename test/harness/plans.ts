import { Database } from "bun:sqlite"
import { afterAll, beforeAll, expect } from "bun:test"
import { join } from "node:path"
import { drizzle } from "drizzle-orm/bun-sqlite"
import type { Db } from "../../src/store/database.ts"
import type { Unit } from "../../src/store/writer.ts"
import { startTestApp, type TestApp } from "./app.ts"

/** Asks SQLite how it means to go about queries, in the store of an app of its own. */
export interface Plans {
  /** There between the first test of the file and its last. */
  readonly app: () => TestApp
  /** A connection of its own to the store. */
  readonly db: () => Db
  /** One line for each table or index that a query goes to. */
  explained(query: string, params?: readonly unknown[]): string[]
  /** The same of all queries that some work asks for; what it writes is rolled back. */
  plan(work: (db: Db, unit: Unit) => PromiseLike<unknown>): Promise<string[]>
}

/** To be called at the top of a test file. Lines that `aside` matches are left out: they go to nothing that is stored. */
export function queryPlans(aside: RegExp): Plans {
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
      .filter((detail) => !aside.test(detail))

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
