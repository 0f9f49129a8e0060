import { expect, test } from "bun:test"
import { and, eq, sql } from "drizzle-orm"
import { sqliteTable } from "drizzle-orm/sqlite-core"
import { count, flag, json, string } from "../../src/store/columns.ts"
import type { Db } from "../../src/store/database.ts"
import { prepare } from "../../src/store/prepare.ts"
import { quickQuery } from "../../src/store/quick-query.ts"
import { openTestStore, scratch } from "../harness/store.ts"

const folder = scratch()
const thing = sqliteTable("thing", {
  name: string("name"),
  isOn: flag("is_on"),
  data: json<unknown>("data"),
  size: count("size"),
})
const part = sqliteTable("part", { thing: string("thing"), label: string("label") })

const queries = {
  "all columns": (db: Db) => db.select().from(thing),
  "expressions with names and decoders": (db: Db) =>
    db
      .select({
        double: sql<number>`size * 2`.as("double"),
        text: sql`size`.mapWith(String),
        isOn: thing.isOn,
      })
      .from(thing),
  "a join of columns": (db: Db) =>
    db
      .select({ name: thing.name, label: part.label, data: thing.data })
      .from(thing)
      .leftJoin(part, eq(part.thing, thing.name)),
  "a join of tables": (db: Db) => db.select().from(thing).leftJoin(part, eq(part.thing, thing.name)),
  "nested columns": (db: Db) => db.select({ name: thing.name, more: { size: thing.size } }).from(thing),
  nothing: (db: Db) => db.select().from(thing).where(eq(thing.name, "nobody")),
}

test.each(Object.keys(queries) as (keyof typeof queries)[])(
  "a prepared query gives the rows of the same query: %s",
  async (name) => {
    const store = await openTestStore(folder())
    await store.write("instance", async ({ db }) => {
      await db.run(sql`CREATE TABLE thing (name TEXT, is_on INTEGER, data TEXT, size INTEGER)`)
      await db.run(sql`CREATE TABLE part (thing TEXT, label TEXT)`)
      await db.insert(thing).values([
        { name: "one", isOn: true, data: { a: [1, null] }, size: 3 },
        { name: "two", isOn: false, data: null, size: null },
        { name: null, isOn: null, data: "text", size: 0 },
      ])
      await db.insert(part).values([
        { thing: "one", label: "x" },
        { thing: "one", label: null },
      ])
    })
    const wanted: unknown = await queries[name](store.read)
    const found: unknown = await prepare((db) => queries[name](db) as unknown as { prepare(): { execute(): unknown } })(
      store.read,
      {},
    )
    expect(found).toEqual(wanted)
    await store.close()
  },
)

test("a prepared write gives the rows that it returns", async () => {
  const store = await openTestStore(folder())
  const insert = prepare((db) =>
    db
      .insert(thing)
      .values({ name: sql.placeholder("name"), isOn: true })
      .returning(),
  )
  const rows = await store.write("instance", async ({ db }) => {
    await db.run(sql`CREATE TABLE thing (name TEXT, is_on INTEGER, data TEXT, size INTEGER)`)
    return insert(db, { name: "one" })
  })
  expect(rows).toEqual([{ name: "one", isOn: true, data: null, size: null }])
  await store.close()
})

test("parameters are encoded as in the same query", async () => {
  const store = await openTestStore(folder())
  const { placeholder } = sql
  const given = { name: "one", isOn: true, data: { a: [1, null] }, size: 3, least: 2 }
  const insert = prepare((db) =>
    db
      .insert(thing)
      .values({ name: placeholder("name"), isOn: placeholder("isOn"), data: placeholder("data"), size: sql`1 + 2` }),
  )
  const find = prepare((db) =>
    db
      .select()
      .from(thing)
      .where(
        and(eq(thing.isOn, placeholder("isOn")), eq(thing.name, "one"), sql`${thing.size} > ${placeholder("least")}`),
      ),
  )
  await store.write("instance", async ({ db }) => {
    await db.run(sql`CREATE TABLE thing (name TEXT, is_on INTEGER, data TEXT, size INTEGER)`)
    await insert(db, given)
    await insert(db, { ...given, isOn: false })
  })
  const { least: _, ...row } = given
  expect(await find(store.read, given)).toEqual([row])
  expect(await find(store.read, { isOn: true, least: 3 })).toEqual([])
  expect(find(store.read, { isOn: true })).rejects.toThrow("The query lacks a value for least.")
  await store.close()
})

test("flat rows and writes are run on the statement, others by Drizzle", async () => {
  const store = await openTestStore(folder())
  const runsQuickly = (query: { execute(): unknown }): boolean => {
    let isDrizzle = false
    quickQuery(
      new Proxy(query, {
        get(target, name) {
          if (name !== "execute") return Reflect.get(target, name)
          isDrizzle = true
          return () => []
        },
      }),
    )({})
    return !isDrizzle
  }
  await store.write("instance", async ({ db }) => {
    await db.run(sql`CREATE TABLE thing (name TEXT, is_on INTEGER, data TEXT, size INTEGER)`)
    expect(runsQuickly(db.select().from(thing).prepare())).toBe(true)
    expect(runsQuickly(db.delete(thing).prepare())).toBe(true)
    expect(
      runsQuickly(
        db
          .select({ more: { size: thing.size } })
          .from(thing)
          .prepare(),
      ),
    ).toBe(false)
  })
  await store.close()
})
