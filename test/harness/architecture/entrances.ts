import { codeOf, lineAt } from "./code-text.ts"
import type { Files } from "./imports.ts"

/** The `index.ts` of a module only declares what others may use: every statement is a re-export. */
export function entranceBreaches(files: Files): string[] {
  return [...files].flatMap(([path, text]) => {
    if (!/^src\/modules\/.*\/index\.ts$/.test(path)) return []
    const rest = codeOf(text, { keepStrings: true }).replaceAll(reExport, (match) => match.replaceAll(/[^\n]/g, " "))
    const at = rest.search(/\S/)
    return at < 0 ? [] : [`${path}:${lineAt(text, at)} ${lineOf(text, at)}: index.ts only re-exports`]
  })
}

const reExport = /\bexport\s+(?:type\s+)?(?:\*(?:\s+as\s+\w+)?|\{[^{}]*\})\s*from\s*"[^"]+";?/g

const lineOf = (text: string, index: number): string => text.split("\n")[lineAt(text, index) - 1]?.trim() ?? ""
