import { closing, codeOf, lineAt } from "./code-text.ts"
import { type Files, isCode } from "./imports.ts"

/**
 * The requirements of a second database engine and a second process, as far as the text of the code shows them. A rule
 * is violated where `pattern` occurs in code or SQL of a file that is not `allowed`.
 */
interface TextRule {
  readonly pattern: RegExp
  readonly allowed: RegExp
  readonly because: string
}

const rules: readonly TextRule[] = [
  {
    pattern: /\b(?:json_each|json_extract|json_type|json_valid|rowid|strftime|julianday|unixepoch)\b|\bdatetime\(/g,
    allowed: /^src\/store\//,
    because: "SQL that differs between databases is in the store's dialect file",
  },
  {
    pattern: /\b(?:GLOB|MATCH|PRAGMA|INSERT OR|REPLACE INTO|AUTOINCREMENT)\b|\bsqlite_\w+/g,
    allowed: /^src\/store\//,
    because: "SQL that differs between databases is in the store's dialect file",
  },
  {
    pattern: /["']drizzle-orm\/sqlite-core["']/g,
    allowed: /^src\/store\/|\/table\.ts$/,
    because: "only table.ts and the store name the database's column and table kinds",
  },
  {
    pattern: /["'](?:bun:sqlite|drizzle-orm\/bun-sqlite)["']/g,
    allowed: /^src\/store\//,
    because: "only the store knows the engine",
  },
  {
    pattern: /\.(?:get|all|run)\(\)/g,
    allowed: /^src\/store\//,
    because: "Drizzle builders are awaited: .get(), .all() and .run() exist for SQLite only",
  },
  {
    pattern: /\bstore\.write\(\s*(?:async\b|\(|\w+\s*=>|function\b)/g,
    allowed: /^$/,
    because: 'a unit of work names its scope first: a project id, or "instance"',
  },
  {
    pattern: /["']node:fs(?:\/promises)?["']|\bBun\.(?:file|write)\(/g,
    allowed:
      /^src\/(?:store|commands|config)\/|^src\/app\.ts$|^src\/http\/(?:dashboard|openapi\/)|^src\/mail\/transports\/|^src\/tls\/files\.ts$/,
    because: "bytes go through the store's Files, never through paths of the data folder",
  },
  {
    pattern: /\bset(?:Timeout|Interval)\(/g,
    allowed: /^src\/(?:store|kernel)\/|^src\/http\/listen\.ts$/,
    because: "what is due later is a row or a job; waiting goes through the kernel's clock",
  },
]

/** Every violation of the rules above, and errors that are caught inside a unit of work. */
export function storeBreaches(files: Files): string[] {
  return [...files]
    .filter(([path]) => isCode(path) && path.startsWith("src/") && !path.startsWith("src/dashboard/"))
    .flatMap(([path, text]) => [...textBreaches(path, text), ...caughtInUnit(path, text)])
}

function textBreaches(path: string, text: string): string[] {
  const code = codeOf(text, { keepStrings: true })
  return rules
    .filter(({ allowed }) => !allowed.test(path))
    .flatMap(({ pattern, because }) =>
      Array.from(code.matchAll(pattern), (match) => `${path}:${lineAt(text, match.index)} ${match[0]}: ${because}`),
    )
}

/** Where a unit of work begins: the work given to the store, and the body of a function that takes a unit. */
const unitForms = [/\bstore\.write\(/g, /\(\s*(?:[^()]*,\s*)?(?:unit|\{[^{}]*\}): Unit\b/g]

/** An error ends the transaction of most databases (not of SQLite), so nothing inside a unit may continue after one. */
function caughtInUnit(path: string, text: string): string[] {
  if (path.startsWith("src/store/")) return []
  const code = codeOf(text)
  const found = new Set<number>()
  for (const form of unitForms) {
    for (const { index } of code.matchAll(form)) {
      const open = code.indexOf("(", index)
      for (const at of catchesIn(code, open, bodyEnd(code, open))) found.add(at)
    }
  }
  return [...found]
    .sort((one, other) => one - other)
    .map((at) => `${path}:${lineAt(text, at)} catch: no error is caught inside a unit of work`)
}

/** A call ends with its bracket. After a parameter list comes a body, unless it is a signature only. */
function bodyEnd(code: string, open: number): number {
  const end = closing(code, open)
  if (/\bwrite$/.test(code.slice(0, open))) return end
  const body = /^[^;\n]*\{(?=[ \t]*\n)/.exec(code.slice(end))
  return body === null ? end : closing(code, end + body[0].length - 1)
}

const catchesIn = (code: string, from: number, to: number): number[] =>
  Array.from(code.slice(from, to).matchAll(/\bcatch\b/g), ({ index }) => from + index)
