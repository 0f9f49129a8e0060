import { describe, expect, test } from "bun:test"
import { dashboardBreaches } from "./harness/architecture/dashboard.ts"
import { importsOf } from "./harness/architecture/imports.ts"

/** `test/architecture.test.ts` applies these rules to the existing files. */
describe("the rules of the dashboard", () => {
  const breaches = (files: Record<string, string>): string[] =>
    dashboardBreaches(Object.entries(files).flatMap(([path, text]) => importsOf(`src/dashboard/${path}`, text)))

  test.each([
    ["ui/a.ts", 'import { b } from "../context/b.ts"', "context is above ui"],
    ["ui/a.ts", 'import type { B } from "../parts/b.ts"', "parts is above ui"],
    ["theme.ts", 'import { b } from "./context/b.ts"', "context is above ui"],
    ["api/a.ts", 'import type { B } from "../queries/b.ts"', "queries is above api"],
    ["queries/a.ts", 'import { b } from "../parts/b.ts"', "parts is above queries"],
    ["parts/x/a.tsx", 'import { b } from "../../list/b.tsx"', "list is above parts"],
    ["list/a.tsx", 'import { b } from "../shell/b.tsx"', "shell is above list"],
    ["shell/a.tsx", 'import { b } from "../pages/inbox/page.ts"', "pages is above shell"],
    ["shell/a.tsx", 'const b = await import("../pages/inbox/page.ts")', "pages is above shell"],
    ["pages/pages.ts", 'import { b } from "../app.tsx"', "the top is above pages"],
    ["pages/inbox/a.tsx", 'import { b } from "../contacts/b.ts"', "import no other page"],
    ["pages/inbox/a.tsx", 'import type { B } from "../contacts/b.ts"', "import no other page"],
    ["attic/a.ts", 'import { b } from "../ui/b.ts"', "attic is in no layer"],
  ])("refuse in %s: %j", (path, text, because) => {
    const found = breaches({ [path]: text })
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(because)
    expect(found[0]).toContain(`src/dashboard/${path}`)
  })

  test.each([
    ["pages/inbox/a.tsx", 'import { b } from "../../shell/page.ts"\nimport { c } from "./more/c.ts"'],
    ["pages/pages.ts", 'import { b } from "./inbox/page.ts"\nimport { c } from "./contacts/page.tsx"'],
    ["list/a.tsx", 'import { b } from "../parts/page-head.tsx"\nimport { c } from "../ui/c.ts"'],
    ["app.tsx", 'import { b } from "./pages/pages.ts"\nimport { c } from "./theme.ts"'],
    ["api/a.ts", 'import type { B } from "../../modules/contacts/index.ts"'],
  ])("allow in %s: %j", (path, text) => {
    expect(breaches({ [path]: text })).toEqual([])
  })
})
