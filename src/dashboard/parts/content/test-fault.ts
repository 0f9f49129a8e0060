import { ApiError } from "../../api/http.ts"
import { reasonOf } from "../../api/refusal.ts"
import type { TemplateFields } from "../../api/templates.ts"
import { contentTexts } from "./content-fields.ts"

/** Why a test was not sent: a fault of the address, or of the content. */
export interface TestFault {
  readonly at: "to" | "content"
  readonly text: string
}

/** The fields of content with their names in the editor. */
const labels = {
  from: "From",
  fromName: "Sender name",
  replyTo: "Reply to",
  subject: "Subject",
  body: "Body",
  text: "Plain text",
} as const satisfies Partial<Record<keyof TemplateFields, string>>

const isLabelled = (field: string): field is keyof typeof labels => Object.hasOwn(labels, field)

export function testFaultOf(cause: unknown): TestFault {
  const first = cause instanceof ApiError ? cause.faults[0] : undefined
  if (first?.field === "email") return { at: "to", text: "This is not an email address." }
  if (!first || !isLabelled(first.field)) return { at: "content", text: reasonOf(cause) }
  const { field, code, message } = first
  return { at: "content", text: `${labels[field]}: ${contentTexts[`${field}:${code}`] ?? message}` }
}
