import type { FaultTexts, Form } from "../../api/refusal.ts"

/** The fields that templates and campaigns have in common. */
export const contentFields = ["description", "subject", "body", "text", "from", "fromName", "replyTo", "type"] as const

/** Texts for their faults, by `field:code`. */
export const contentTexts: FaultTexts = {
  "from:invalid_string": "This is not an email address.",
  "replyTo:invalid_string": "This is not an email address.",
  "subject:too_small": "A mail needs a subject.",
  "body:too_small": "A mail needs a body.",
  "name:too_small": "A template needs a name.",
}

/** How a refusal of content is shown. A sender domain that is not verified (contract A1.7) is a fault of `from`. */
export const contentForm = {
  fields: ["name", ...contentFields],
  texts: contentTexts,
  fieldOf: { "403 INTERNAL_SERVER_ERROR": "from" },
} as const satisfies Form

export const orNull = (text: string | null): string | null => text?.trim() || null

/** The code editor has `\\n` as its only line break. */
export const normalizeLineBreaks = (source: string): string => source.replace(/\r\n?/g, "\n")
