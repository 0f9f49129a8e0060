import { ApiError } from "../../api/http.ts"
import type { TemplateFields } from "../../api/templates.ts"
import { reasonOf } from "../../ui/format.ts"

/** What is wrong, to be said beside the field it is about; `other` is about none. */
export type Faults = Partial<Record<keyof TemplateFields | "other", string>>

/** A place in the content that the server cannot read (contract A3.5); both from 1. */
export interface SyntaxFault {
  readonly field: "subject" | "body"
  readonly line: number
  readonly column: number
  readonly message: string
}

const words: Readonly<Record<string, string>> = {
  "from:invalid_string": "This is not an email address.",
  "replyTo:invalid_string": "This is not an email address.",
  "subject:too_small": "A mail needs a subject.",
  "body:too_small": "A mail needs a body.",
  "name:too_small": "A template needs a name.",
}

export function faultsOf(cause: unknown): Faults {
  if (!(cause instanceof ApiError)) return { other: reasonOf(cause) }
  if (cause.status === 403) return { from: cause.message }
  if (cause.faults.length === 0) return { other: cause.message }
  return Object.fromEntries(
    cause.faults.map(({ field, code, message }) => [
      isField(field) ? field : "other",
      words[`${field}:${code}`] ?? message,
    ]),
  )
}

/** Why a test was not sent: said beside the address, or about what is sent. */
export interface TestFault {
  readonly at: "to" | "content"
  readonly text: string
}

/** The fields of a mail (contract A4.3) as the editor calls them. */
const labels: Readonly<Record<string, readonly [field: keyof TemplateFields, label: string]>> = {
  from: ["from", "From"],
  "from.email": ["from", "From"],
  "from.name": ["fromName", "Sender name"],
  reply: ["replyTo", "Reply to"],
  subject: ["subject", "Subject"],
  body: ["body", "Body"],
}

export function testFaultOf(cause: unknown): TestFault {
  const first = cause instanceof ApiError ? cause.faults[0] : undefined
  if (first?.field.startsWith("to")) return { at: "to", text: "This is not an email address." }
  const [field, label] = labels[first?.field ?? ""] ?? []
  if (!first || !field) return { at: "content", text: reasonOf(cause) }
  return { at: "content", text: `${label}: ${words[`${field}:${first.code}`] ?? first.message}` }
}

const fields = ["name", "description", "subject", "body", "from", "fromName", "replyTo", "type"]
const isField = (name: string): boolean => fields.includes(name)

/** The first fault of syntax in a refusal, if that is what it is about. */
export function syntaxFaultOf(cause: unknown): SyntaxFault | null {
  if (!(cause instanceof ApiError)) return null
  const { field, line, column } = cause.details
  if ((field !== "subject" && field !== "body") || typeof line !== "number" || typeof column !== "number") return null
  const message = cause.faults[0]?.message ?? cause.message
  return { field, line, column, message: message.replace(/^Line \d+, column \d+: /, "") }
}
