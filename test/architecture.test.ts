import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { breaches, importsOf, isCode, longestFile } from "./harness/architecture.ts"

const root = resolve(import.meta.dir, "..")
const house = new Map(
  [...new Bun.Glob("{src,plugins}/**/*.{ts,tsx,css}").scanSync({ cwd: root })]
    .map((path) => path.replaceAll("\\", "/"))
    .sort()
    .map((path) => [path, readFileSync(join(root, path), "utf8")]),
)

describe("the house", () => {
  test("stands as planned", () => {
    expect(house.size).toBeGreaterThan(20)
    expect(breaches(house)).toEqual([])
  })

  test("has no import that the reader of imports does not see", () => {
    for (const [path, text] of house) {
      if (!isCode(path)) continue
      const scanner = new Bun.Transpiler({ loader: path.endsWith("x") ? "tsx" : "ts" })
      const seen = importsOf(path, text).map((one) => one.specifier)
      const names = scanner.scanImports(text).map((one) => one.path)
      // The scanner adds what JSX is compiled to, which stands nowhere in the text.
      expect([path, names.filter((name) => !seen.includes(name) && text.includes(`"${name}"`))]).toEqual([path, []])
    }
  })
})

describe("the rules", () => {
  const breach = (path: string, text: string, others: Record<string, string> = {}): string[] =>
    breaches(new Map(Object.entries({ ...others, [path]: text })))

  test.each([
    ["src/kernel/a.ts", 'import { b } from "../store/b.ts"', "store is above kernel"],
    ["src/store/a.ts", 'import type { B } from "../modules/contacts/index.ts"', "modules is above store"],
    ["src/mail/a.ts", 'export { b } from "../engine.ts"', "engine is above mail"],
    ["src/http/a.ts", 'import {\n  b,\n} from "./dashboard.ts"', "dashboard host is above http"],
    ["src/modules/contacts/a.ts", 'const b = await import("../../app.ts")', "app is above modules"],
    ["src/store/a.ts", 'import "../bus/b.ts"', "bus is above store"],
    [
      "src/modules/events/a.ts",
      'import { b } from "../contacts/store.ts"',
      "the only entrance of a module is its index.ts",
    ],
    ["src/app.ts", 'import { b } from "./modules/contacts/store.ts"', "the only entrance of a module is its index.ts"],
    ["src/modules/contacts/a.ts", 'import { b } from "../events/index.ts"', "events is not on a lower step"],
    ["src/modules/projects/a.ts", 'import { b } from "../accounts/index.ts"', "accounts is not on a lower step"],
    ["plugins/smtp/a.ts", 'import { b } from "../../src/mail/compose.ts"', "a plugin imports its own files"],
    ["plugins/smtp/a.ts", 'import { b } from "../ses/index.ts"', "a plugin imports its own files"],
    ["src/commands/a.ts", 'import { b } from "../../plugins/index.ts"', "only src/app.ts imports plugins"],
    ["src/dashboard/a.tsx", 'import { b } from "../kernel/b.ts"', "no server code except types"],
    ["src/dashboard/a.tsx", 'import { type B } from "../kernel/b.ts"', "no server code except types"],
    ["src/app.ts", 'import { b } from "../test/harness/app.ts"', "only tests import tests"],
    ["src/attic/a.ts", "", "attic is on no floor"],
    ["src/loose.ts", "", "src/loose.ts is on no floor"],
    ["src/modules/gifts/index.ts", "", "src/modules/gifts is on no step"],
    ["src/store/a.ts", "const home = process.env.HOME", "only src/main.ts and src/commands read"],
    ["plugins/ses/a.ts", "const key = Bun.env.KEY", "only src/main.ts and src/commands read"],
    ["src/app.ts", 'process.once("SIGTERM", stop)', "deal with signals"],
    ["src/main.ts", "console.log(1)", "only commands print"],
    ["src/store/a.ts", "const at = new Date()", "time and chance"],
    ["src/store/a.ts", "const at = Date.now() // now", "time and chance"],
    ["plugins/ses/a.ts", "const id = Math.random()", "time and chance"],
    ["src/store/a.ts", "\n".repeat(longestFile + 1), `has ${longestFile + 1} lines`],
    ["src/dashboard/a.css", "\n".repeat(longestFile + 1), `has ${longestFile + 1} lines`],
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
    ["src/commands/a.ts", "const home = process.env.HOME\nconsole.log(home)"],
    ["src/kernel/clock.ts", "const now = Date.now()"],
    [
      "src/store/a.ts",
      "/** Never `Date.now()`. */\n// process.env\n * Math.random()\nconst at = new Date(0) // not new Date()",
    ],
    ["src/store/a.ts", "\n".repeat(longestFile)],
    ["src/store/migrations/0001.ts", "\n".repeat(longestFile + 1)],
  ])("allow in %s: %j", (path, text) => {
    expect(breach(path, text)).toEqual([])
  })

  test("let rooms of one floor use each other, but not in a circle", () => {
    const jobs = { "src/jobs/a.ts": 'import { b } from "../bus/b.ts"' }
    expect(breach("src/mail/a.ts", 'import { b } from "../jobs/b.ts"', jobs)).toEqual([])
    const found = breach("src/bus/a.ts", 'import { b } from "../mail/b.ts"', {
      ...jobs,
      "src/mail/a.ts": 'import { b } from "../jobs/b.ts"',
    })
    expect(found).toHaveLength(3)
    expect(found).toContain("src/bus/a.ts:1 closes a circle: bus needs mail, which needs bus")
  })
})
