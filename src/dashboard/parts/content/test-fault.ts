import { ApiError } from "../../api/http.ts"
import { reasonOf } from "../../api/refusal.ts"
import type { TemplateFields } from "../../api/templates.ts"
import { contentTexts } from "./content-fields.ts"

/** Why a test was not sent: a fault of the address, or of the content. */
export interface TestFault {
  readonly at: "to" | "content"
  readonly text: string
}

/** The fields of a mail (contract A4.3) with their names in the editor. */
const labels: Readonly<Record<string, readonly [field: keyof TemplateFields, label: string]>> = {
  from: ["from", "From"],
  "from.email": ["from", "From"],
  "from.name": ["fromName", "Sender name"],
  reply: ["replyTo", "Reply to"],
  subject: ["subject", "Subject"],
  body: ["body", "Body"],
  text: ["text", "Plain text"],
}

export function testFaultOf(cause: unknown): TestFault {
  const first = cause instanceof ApiError ? cause.faults[0] : undefined
  if (first?.field.startsWith("to")) return { at: "to", text: "This is not an email address." }
  const [field, label] = labels[first?.field ?? ""] ?? []
  if (!first || !field) return { at: "content", text: reasonOf(cause) }
  return { at: "content", text: `${label}: ${contentTexts[`${field}:${first.code}`] ?? first.message}` }
}
