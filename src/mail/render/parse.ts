import Handlebars from "handlebars"
import { offsetOf, TemplateFault } from "./faults.ts"
import type { Program } from "./syntax.ts"
import { unexpectedAt } from "./unexpected.ts"

/** The position at which the parser stopped: the lexer has the place of the last token. */
interface Internals {
  readonly Parser: { readonly lexer: { readonly yylloc: TokenPlace } }
}

interface TokenPlace {
  readonly first_line: number
  readonly first_column: number
  readonly last_line: number
  readonly last_column: number
}

/**
 * The tree of a scanned source.
 * @param text the scanned `source`; positions are equal in both
 * @throws {TemplateFault}
 */
export function parse(text: string, source: string): Program {
  try {
    // After the scan only the nodes of `syntax.ts` are left.
    return Handlebars.parse(text) as unknown as Program
  } catch (cause) {
    const offset = placeOf(cause, source)
    throw new TemplateFault(unexpectedAt(source, offset), source, offset)
  }
}

function placeOf(cause: unknown, source: string): number {
  const { lineNumber, column, message } = cause as { lineNumber?: unknown; column?: unknown; message?: unknown }
  if (typeof lineNumber === "number" && typeof column === "number") return offsetOf(source, lineNumber, column)
  const token = (Handlebars as unknown as Internals).Parser.lexer.yylloc
  // The token is unexpected. If there is none, the unreadable text begins after the previous token.
  const unreadable = String(message).startsWith("Lexical error")
  return unreadable
    ? offsetOf(source, token.last_line, token.last_column)
    : offsetOf(source, token.first_line, token.first_column)
}
