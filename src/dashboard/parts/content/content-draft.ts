import type { TemplateFields } from "../../api/templates.ts"
import type { Faults, SyntaxFault } from "./faults.ts"

/** Content while it is edited, of a template or of whatever else is sent. */
export interface ContentDraft {
  readonly fields: Pick<TemplateFields, "description" | "subject" | "body" | "from" | "fromName" | "replyTo" | "type">
  readonly faults: Faults
  readonly syntax: SyntaxFault | null
  edit(part: Partial<ContentDraft["fields"]>): void
}
