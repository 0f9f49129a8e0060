import type { Refusal } from "../../api/refusal.ts"
import type { TemplateFields } from "../../api/templates.ts"

type ContentFields = Omit<TemplateFields, "name">

/** The draft of content, of a template or a campaign. */
export interface ContentDraft {
  readonly content: ContentFields
  readonly refusal: Refusal
  edit(part: Partial<ContentFields>): void
}
