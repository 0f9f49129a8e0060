import { describe, expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { unusedExports } from "./harness/architecture/exports.ts"
import { breaches, importsOf, isCode, longestFile } from "./harness/architecture.ts"

const root = resolve(import.meta.dir, "..")
const filesOf = (glob: string) =>
  new Map(
    [...new Bun.Glob(glob).scanSync({ cwd: root })]
      .map((path) => path.replaceAll("\\", "/"))
      .sort()
      .map((path) => [path, readFileSync(join(root, path), "utf8")]),
  )
const files = filesOf("{src,plugins}/**/*.{ts,tsx,css}")

describe("the code", () => {
  test("keeps every rule", () => {
    expect(files.size).toBeGreaterThan(20)
    expect(breaches(files)).toEqual([])
  })

  test("exports what another file imports, and nothing else", () => {
    const all = filesOf("{src,plugins,test,config}/**/*.{ts,tsx}")
    // It has the text of a file that it writes.
    all.delete("config/migrations.ts")
    // Plugins of operators import from it.
    all.delete("src/mail/transport.ts")
    expect(unusedExports(all)).toEqual([])
  })

  test("has no import that importsOf misses", () => {
    for (const [path, text] of files) {
      if (!isCode(path)) continue
      const scanner = new Bun.Transpiler({ loader: path.endsWith("x") ? "tsx" : "ts" })
      const seen = importsOf(path, text).map((one) => one.specifier)
      const names = scanner.scanImports(text).map((one) => one.path)
      // The scanner adds what JSX is compiled to, which is not in the text.
      expect([path, names.filter((name) => !seen.includes(name) && text.includes(`"${name}"`))]).toEqual([path, []])
    }
  })
})

describe("the README", () => {
  const readme = readFileSync(join(root, "README.md"), "utf8")

  test.each([
    ["modules", "src/modules/", /^ modules\/(.*?)^ [a-z]+\//ms],
    ["transports", "plugins/", /^ plugins\/ +transports: (.*)$/m],
  ])("has all %s in its picture, and no others", (_, parent, part) => {
    const names = [...files.keys()].flatMap((path) =>
      path.startsWith(parent) ? (/^([^/]+)\//.exec(path.slice(parent.length))?.[1] ?? []) : [],
    )
    const shown = part.exec(readme)?.[1]?.match(/[a-z]+/g) ?? []
    expect(shown.toSorted(), 'README.md, "How the code is arranged"').toEqual([...new Set(names)].toSorted())
  })

  test("links to files that exist", () => {
    const links = [...readme.matchAll(/\]\(([^):]+)\)/g)].map(([, path = ""]) => path)
    expect(links.length).toBeGreaterThan(3)
    expect(links.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })
})

describe("the rules", () => {
  const breach = (path: string, text: string, others: Record<string, string> = {}): string[] =>
    breaches(new Map(Object.entries({ ...others, [path]: text })))

  test.each([
    ["src/kernel/a.ts", 'import { b } from "../store/b.ts"', "store is in a layer above kernel"],
    ["src/store/a.ts", 'import type { B } from "../modules/contacts/index.ts"', "modules is in a layer above store"],
    ["src/mail/a.ts", 'export { b } from "../engine.ts"', "engine is in a layer above mail"],
    ["src/http/a.ts", 'import {\n  b,\n} from "./dashboard.ts"', "dashboard host is in a layer above http"],
    ["src/modules/contacts/a.ts", 'const b = await import("../../app.ts")', "app is in a layer above modules"],
    ["src/store/a.ts", 'import "../bus/b.ts"', "bus is in a layer above store"],
    [
      "src/modules/events/a.ts",
      'import { b } from "../contacts/store.ts"',
      "the only entrance of a module is its index.ts",
    ],
    ["src/app.ts", 'import { b } from "./modules/contacts/store.ts"', "the only entrance of a module is its index.ts"],
    ["src/modules/contacts/a.ts", 'import { b } from "../events/index.ts"', "events is not to the left of contacts"],
    [
      "src/modules/projects/a.ts",
      'import { b } from "../accounts/index.ts"',
      "accounts is not to the left of projects",
    ],
    ["plugins/smtp/a.ts", 'import { b } from "../../src/mail/compose.ts"', "a plugin imports its own files"],
    ["plugins/smtp/a.ts", 'import { b } from "../ses/index.ts"', "a plugin imports its own files"],
    [
      "src/commands/a.ts",
      'import { b } from "../../plugins/index.ts"',
      "only src/app.ts and the thread of transports import plugins",
    ],
    ["src/dashboard/a.tsx", 'import { b } from "../kernel/b.ts"', "no server code except types"],
    ["src/dashboard/a.tsx", 'import { type B } from "../kernel/b.ts"', "no server code except types"],
    ["src/app.ts", 'import { b } from "../test/harness/app.ts"', "only tests import tests"],
    ["src/main.ts", 'import { simpleParser } from "mailparser"', "every start would load it"],
    ["src/attic/a.ts", "", "attic is in no layer"],
    ["src/loose.ts", "", "src/loose.ts is in no layer"],
    ["src/modules/gifts/index.ts", "", "src/modules/gifts is not in the picture of README.md"],
    ["src/store/a.ts", "const home = process.env.HOME", "only src/main.ts and src/commands read"],
    ["plugins/ses/a.ts", "const key = Bun.env.KEY", "only src/main.ts and src/commands read"],
    ["src/app.ts", 'process.once("SIGTERM", stop)', "deal with signals"],
    ["src/main.ts", "console.log(1)", "only commands print"],
    ["src/modules/reports/a.ts", "const answer = await fetch(url)", "go through net/safe-fetch"],
    ["src/jobs/a.ts", "const request = https.request(url)", "go through net/safe-fetch"],
    ["src/store/a.ts", "const at = new Date()", "time and random numbers"],
    ["src/store/a.ts", "const at = Date.now() // now", "time and random numbers"],
    ["plugins/ses/a.ts", "const id = Math.random()", "time and random numbers"],
    ["src/modules/events/routes.ts", "sql`json_each(x)`", "in the store's dialect file"],
    ["src/http/a.ts", "sql`x GLOB 'a*'`", "in the store's dialect file"],
    [
      "src/modules/contacts/list/a.ts",
      'import { union } from "drizzle-orm/sqlite-core"',
      "only table.ts and the store name",
    ],
    ["src/modules/contacts/a.ts", 'import { Database } from "bun:sqlite"', "only the store knows the engine"],
    ["src/jobs/a.ts", "const row = await db.select().from(job).get()", "Drizzle builders are awaited"],
    ["src/jobs/a.ts", "await store.write(async (unit) => {})", "names its scope first"],
    ["src/jobs/a.ts", "await store.write(\n  (unit) => save(unit),\n)", "names its scope first"],
    ["src/modules/contacts/a.ts", 'import { rm } from "node:fs/promises"', "bytes go through the store's Files"],
    ["src/modules/contacts/a.ts", "const bytes = Bun.file(join(data, name))", "bytes go through the store's Files"],
    ["src/modules/accounts/a.ts", "setTimeout(forget, 900_000)", "what is due later is a row or a job"],
    ["src/bus/a.ts", "store.write(id, async (unit) => {\n  try { await a(unit) } catch {}\n})", "caught inside a unit"],
    ["src/bus/a.ts", "store.write(id, (unit) => a(unit).catch(ignore))", "caught inside a unit"],
    [
      "src/modules/events/a.ts",
      "async function a(unit: Unit, id: string): Promise<void> {\n  await b(unit).catch(() => {})\n}",
      "caught inside a unit",
    ],
    [
      "src/modules/events/a.ts",
      "const a = ({ db }: Unit): Promise<X> => {\n  try { b(db) } catch {}\n}",
      "caught inside a unit",
    ],
    ["src/modules/emails/a.ts", 'const size = content.replace(/=+$/, "").length', "ends in a repetition begins with ^"],
    ["src/modules/emails/a.ts", "if (/^a+|(?:b|c*)$/.test(text)) return", "ends in a repetition begins with ^"],
    ["src/modules/events/index.ts", 'export { a } from "./a.ts"\nexport const b = 1', "index.ts only re-exports"],
    ["src/modules/events/index.ts", 'import { a } from "./a.ts"', "index.ts only re-exports"],
    [
      "src/dashboard/ui/a.tsx",
      'import styles from "./a.module.css"\nconst a = <p className={styles.gone} />',
      "./a.module.css has no class gone",
    ],
    ["src/bus/a.ts", 'import type { B } from "./a.ts"', "is a circle of imports"],
    ["src/modules/events/a.ts", "post('/', add, { body: t.Object({}) })", "is a shape() of text()"],
  ])("refuse in %s: %j", (path, text, because) => {
    const found = breach(path, text)
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(because)
    expect(found[0]).toContain(path.replace(/\/index\.ts$/, ""))
  })

  test.each([
    ["src/app.ts", 'import { b } from "../plugins/index.ts"\nimport { c } from "./modules/contacts/index.ts"'],
    ["src/modules/emails/a.ts", 'import { b } from "../contacts/index.ts"\nimport { c } from "./store.ts"'],
    ["src/dashboard/a.tsx", 'import type { B } from "../modules/emails/index.ts"\nimport { c } from "./theme.ts"'],
    ["src/inbound/a.ts", 'import { b } from "../kernel/clock.ts"\nimport type { C } from "../store/database.ts"'],
    ["plugins/smtp/a.ts", 'import { b } from "../../src/mail/transport.ts"\nimport { c } from "./pool.ts"'],
    ["plugins/index.ts", 'import smtp from "./smtp/index.ts"'],
    ["src/main.ts", 'const { simpleParser } = await import("mailparser")\nimport { eq } from "drizzle-orm/sql"'],
    ["src/main.ts", 'import type { Mail } from "mailparser"\nimport { join } from "node:path"'],
    ["src/inbound/a.ts", 'import { simpleParser } from "mailparser"'],
    ["src/commands/a.ts", "const home = process.env.HOME\nconsole.log(home)"],
    ["src/kernel/clock.ts", "const now = Date.now()"],
    [
      "src/store/a.ts",
      "/** Never `Date.now()`. */\n// process.env\n * Math.random()\nconst at = new Date(0) // not new Date()",
    ],
    ["src/store/sqlite/dialect.ts", "sql`json_each(x)`"],
    ["src/modules/events/table.ts", 'import { index } from "drizzle-orm/sqlite-core"'],
    ["src/modules/events/a.ts", "// json_each(x), store.write((unit) => {})\nconst found = new Map().get(key)"],
    ["src/modules/events/a.ts", "try { await store.write(id, (unit) => save(unit)) } catch (cause) { report(cause) }"],
    ["src/modules/events/a.ts", "const write = store.write(id, save)\nwrite.catch(report)"],
    [
      "src/modules/events/a.ts",
      "interface A {\n  a(unit: Unit): Promise<void>\n}\nfunction b() {\n  try { c() } catch {}\n}",
    ],
    ["src/modules/events/a.ts", "const a = (unit: Unit) => save(unit)\nconst b = () => c().catch(report)"],
    ["src/modules/events/a.ts", "const catchAll = /['\"`]catch/\nasync function a(unit: Unit) { say('catch') }"],
    [
      "src/modules/events/index.ts",
      '/** Events. */\nexport { a,\n  type B } from "./a.ts"\nexport type { C } from "./c.ts"',
    ],
    ["src/modules/emails/a.ts", "const all = [/^=+$/, /(?<!=)=+$/, /[+$]/, /a+\\$/]\nconst half = size / 2 // /=+$/"],
  ])("allow in %s: %j", (path, text) => {
    expect(breach(path, text)).toEqual([])
  })

  test.each(["src/store/a.ts", "src/dashboard/a.css"])("refuse a long file: %s", (path) => {
    expect(breach(path, "\n".repeat(longestFile))).toEqual([])
    const [found = "", ...others] = breach(path, "\n".repeat(longestFile + 1))
    expect(found).toStartWith(`${path} has ${longestFile + 1} lines`)
    expect(others).toEqual([])
  })

  test("allow a long file that is generated", () => {
    expect(breach("src/store/migrations/0001.ts", "\n".repeat(longestFile + 1))).toEqual([])
  })

  test("refuse exports that no other file imports", () => {
    const exporting = [
      "export const a = 1, of = a\nexport async function b() {}\nexport interface C {}\nexport type D = C",
      "export const { e, f: g } = a\nexport { h, type i as j } from './h.ts'\nexport type { K } from './h.ts'",
    ].join("\n")
    const unusedOf = (importing: string): string =>
      unusedExports(new Map(Object.entries({ "src/bus/a.ts": exporting, "src/jobs/b.ts": importing })))
        .flatMap((each) => each.split("src/bus/a.ts ")[1] ?? [])
        .join(" ")
    expect(unusedOf("")).toBe("a b C D e g h j K")
    expect(unusedOf('import { a, type C as X } from "../bus/a.ts"\nimport type { D } from "../bus/a.ts"')).toBe(
      "b e g h j K",
    )
    expect(unusedOf('export {\n  b,\n  type j as l,\n} from "../bus/a.ts"')).toBe("a C D e g h K")
    expect(unusedOf('const { a } = await import("../bus/a.ts")')).toBe("")
    expect(unusedOf('import * as a from "../bus/a.ts"')).toBe("")
  })

  test("let parts of one layer import each other, but not in a circle", () => {
    const jobs = { "src/jobs/a.ts": 'import { b } from "../bus/b.ts"' }
    expect(breach("src/mail/a.ts", 'import { b } from "../jobs/b.ts"', jobs)).toEqual([])
    const found = breach("src/bus/a.ts", 'import { b } from "../mail/b.ts"', {
      ...jobs,
      "src/mail/a.ts": 'import { b } from "../jobs/b.ts"',
    })
    expect(found).toHaveLength(3)
    expect(found).toContain("src/bus/a.ts:1 closes a circle: bus needs mail, which needs bus")
  })

  test("name a shortest circle of files, once for all files that are in circles together", () => {
    const found = breach("src/bus/a.ts", 'import type { B } from "./b.ts"\nimport { c } from "./c.ts"', {
      "src/bus/b.ts": 'import { a } from "./a.ts"',
      "src/bus/c.ts": 'import { b } from "./b.ts"\nimport { d } from "./d.ts"',
      "src/bus/d.ts": 'import { x } from "croner"',
    })
    expect(found).toEqual(["src/bus/a.ts -> src/bus/b.ts -> src/bus/a.ts is a circle of imports"])
  })
})
