import type { Refusal } from "../../api/refusal.ts"
import type { TemplateFields } from "../../api/templates.ts"

type ContentFields = Pick<TemplateFields, "description" | "subject" | "body" | "from" | "fromName" | "replyTo" | "type">

/** Content while it is edited, of a template or of whatever else is sent. */
export interface ContentDraft {
  readonly content: ContentFields
  readonly refusal: Refusal
  edit(part: Partial<ContentFields>): void
}
