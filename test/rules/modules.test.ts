import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { cursorTable } from "../../src/bus/table.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"

const root = join(import.meta.dir, "../../src")
const sources = [...new Bun.Glob("**/*.ts").scanSync({ cwd: root })]
  .filter((path) => !path.startsWith("dashboard/"))
  .map((path) => readFileSync(join(root, path), "utf8"))

/** What the code declares by a pattern whose first group is the name, sorted. */
const declared = (pattern: RegExp): string[] =>
  [...new Set(sources.flatMap((text) => Array.from(text.matchAll(pattern), ([, name]) => name ?? "")))].sort()

describe("Every module", () => {
  let it: TestApp
  beforeAll(async () => {
    it = await startTestApp({ mode: "sandbox", settings: { "backup.schedule": "0 3 * * *" } })
  })
  afterAll(() => it.close())

  const listed = (names: (module: TestApp["app"]["modules"][number]) => readonly string[]): string[] =>
    it.app.modules.flatMap(names).sort()

  test("that has a folder is in the list", () => {
    const folders = new Set(
      [...new Bun.Glob("modules/*/index.ts").scanSync({ cwd: root })].map((path) => path.split("/")[1]),
    )
    expect(folders.size).toBeGreaterThan(10)
    expect([...folders].filter((name) => !it.app.modules.some((module) => module.name === name))).toEqual([])
  })

  test("that has a factory is in the list, once", () => {
    const factories = [...new Bun.Glob("modules/**/module.ts").scanSync({ cwd: root })].map((path) =>
      path.split("/").at(-2),
    )
    const names = listed(({ name }) => [name])
    expect(new Set(names).size).toBe(names.length)
    expect(factories.filter((name) => !names.includes(name ?? ""))).toEqual([])
  })

  test("has its actions under its own name", () => {
    const verbs: Record<string, unknown> = { ...it.app }
    for (const { name, actions } of it.app.modules) expect(verbs[name]).toBe(actions)
  })

  test("has every kind of job that is defined handled", () => {
    const kinds = declared(/\b\w*[jJ]ob\(\s*"(\w+\.[\w-]+)"/g)
    expect(kinds.length).toBeGreaterThan(5)
    expect(listed(({ handlers = [] }) => handlers.map(({ kind }) => kind.name))).toEqual(kinds)
  })

  test("has every recurring entry registered, and handled", () => {
    const entries = sources.join("").match(/\{ kind: \w+, every: /g) ?? []
    expect(entries.length).toBeGreaterThan(2)
    const names = listed(({ recurring = [] }) => recurring.map(({ kind }) => kind.name))
    expect(names).toHaveLength(entries.length)
    expect(new Set(names).size).toBe(names.length)
    const handled = listed(({ handlers = [] }) => handlers.map(({ kind }) => kind.name))
    for (const kind of listed(({ recurring = [] }) => recurring.map(({ kind }) => kind.name)))
      expect(handled).toContain(kind)
  })

  test("has every subscriber subscribed, with a cursor", async () => {
    const declarations = sources.join("").match(/name: [^,\n]+,\s*on: \[/g) ?? []
    expect(declarations.length).toBeGreaterThan(3)
    const names = listed(({ subscribers = [] }) => subscribers.map(({ name }) => name))
    expect(names).toHaveLength(declarations.length)
    expect(new Set(names).size).toBe(names.length)
    const rows = await it.app.store.read.select().from(cursorTable)
    expect(rows.map(({ subscriber }) => subscriber).sort()).toEqual(names)
  })
})
