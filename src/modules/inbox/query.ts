import { instantIn } from "../../http/period.ts"
import { malformed } from "../../kernel/errors.ts"
import { type EmailStatus, emailStatuses } from "../emails/index.ts"

/** One condition of a search; all of them must hold. */
export type Term =
  | { readonly kind: "words" | "from" | "to" | "subject"; readonly text: string }
  | { readonly kind: "attachment" }
  | { readonly kind: "read"; readonly read: boolean }
  | { readonly kind: "status"; readonly status: EmailStatus }
  /** Created before an instant in ms, or at or after it. */
  | { readonly kind: "before" | "after"; readonly at: number }

const piece = /(?:(from|to|subject|has|is|before|after):)?(?:"([^"]*)("?)|(\S+))/giy
const mostTerms = 20

/**
 * Parses the text of the search field: words, phrases in quotation marks, and `from:`, `to:`, `subject:`, `has:`,
 * `is:`, `before:`, `after:`. Any other word with a colon is a word.
 * @throws {DomainError} 400 that names the invalid part
 */
export function parseSearch(search: string): Term[] {
  const terms: Term[] = []
  const line = search.trim()
  piece.lastIndex = 0
  while (piece.lastIndex < line.length) {
    const [, prefix, phrase, closing, word] = piece.exec(line) ?? refuse("The search cannot be read.")
    if (phrase !== undefined && closing === "") refuse("A quotation mark is not closed.")
    const term = termOf(prefix?.toLowerCase(), (phrase ?? word ?? "").trim())
    if (term) terms.push(term)
    while (/\s/.test(line[piece.lastIndex] ?? "")) piece.lastIndex++
  }
  if (terms.length > mostTerms) refuse(`A search has at most ${mostTerms} conditions.`)
  return terms
}

function termOf(prefix: string | undefined, text: string): Term | undefined {
  switch (prefix) {
    case undefined:
      return text === ""
        ? undefined
        : {
            kind: "words",
            text: /^(from|to|subject|has|is|before|after):$/i.test(text)
              ? refuse(`${text} needs something after it.`)
              : text,
          }
    case "from":
    case "to":
    case "subject":
      return text === "" ? refuse(`${prefix}: needs something after it.`) : { kind: prefix, text }
    case "has":
      return /^attachments?$/i.test(text) ? { kind: "attachment" } : refuse("has: is followed by attachment.")
    case "is":
      return stateOf(text)
    default:
      return { kind: prefix === "before" ? "before" : "after", at: timeOf(prefix, text) }
  }
}

function stateOf(text: string): Term {
  const lower = text.toLowerCase()
  if (lower === "read" || lower === "unread") return { kind: "read", read: lower === "read" }
  const status = emailStatuses.find((one) => one.toLowerCase() === lower)
  return status
    ? { kind: "status", status }
    : refuse(`is: is followed by read, unread, ${emailStatuses.map((one) => one.toLowerCase()).join(", ")}.`)
}

/** A day is its first instant in UTC. */
function timeOf(prefix: string, text: string): number {
  const instant = instantIn(text.toUpperCase())
  if (instant === undefined) refuse(`${prefix}: is followed by a day such as 2026-01-31.`)
  return instant.at
}

function refuse(message: string): never {
  throw malformed(message)
}
