import { expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { migrationIndex } from "../../config/migrations.ts"

const folder = resolve(import.meta.dir, "../../src/store/migrations")

test("the list of migrations is what `bun run migration` writes", () => {
  expect(readFileSync(join(folder, "index.ts"), "utf8")).toBe(migrationIndex(readdirSync(folder)))
})

test("migrations are listed in the order of their numbers, whatever else lies in the folder", () => {
  const text = migrationIndex(["0010_b.sql", "meta", "0002_a.sql", "index.ts"])
  expect([...text.matchAll(/name: "(.*?)"/g)].map(([, name]) => name)).toEqual(["0002_a", "0010_b"])
})
