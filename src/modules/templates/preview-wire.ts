import type { Static } from "@sinclair/typebox"
import { about, named } from "../../http/openapi/describe.ts"
import { isGiven, optional, requiredFault, shape, text, withRules } from "../../http/schema.ts"
import { type Fault, fault } from "../../kernel/errors.ts"
import { parseId } from "../../kernel/ids.ts"
import type { JsonObject } from "../../kernel/json.ts"
import { maxSourceLength } from "../../mail/render/index.ts"
import { dataFaults } from "../contacts/index.ts"
import { mailType, maxSubject, typeFaults } from "./content-wire.ts"
import type { PreviewRequest } from "./preview.ts"

/** The data for a preview, the same for saved and unsaved content. */
const filling = {
  contactId: about(
    "Render as for this contact. Without one it is as for somebody nobody knows.",
    optional(text({ form: "id" })),
  ),
  data: about("Custom fields as `POST /v1/send` takes them; nothing of them is stored.", optional(shape({}))),
  locale: about("A language, before that of the contact and of the project.", optional(text())),
  type: about(
    "That of the template when left out. `MARKETING` adds the footer that such mail has.",
    optional(mailType),
  ),
  fromName: about(
    "Whom the footer names. That of the template, or the name of the project, when left out.",
    optional(text()),
  ),
}

const unsaved = {
  subject: optional(text({ max: maxSubject, form: "line" })),
  body: optional(text({ max: maxSourceLength })),
  text: about("The text part; null for one that is made from the body.", optional(text({ max: maxSourceLength }))),
}

/** The body of `POST /templates/{id}/preview`. */
export const savedPreviewBody = withRules(
  named("SavedTemplatePreviewRequest", shape({ ...unsaved, ...filling }), { data: { name: "Ada" } }),
  (sent) => [...dataFaults(sent.data), ...typeFaults(sent.type)],
)

/** The body of `POST /templates/preview`. */
export const previewBody = withRules(
  named(
    "TemplatePreviewRequest",
    shape({
      templateId: about("Instead of subject and body. What is sent beside it wins.", optional(text({ form: "id" }))),
      ...unsaved,
      ...filling,
    }),
    { subject: "Welcome, {{name}}", body: "<p>Your plan is {{plan ?? free}}.</p>", data: { name: "Ada" } },
  ),
  (sent) => [...contentFaults(sent), ...dataFaults(sent.data), ...typeFaults(sent.type)],
)

/** Content comes from a template, or from both subject and body, as in contract A4.3.1. */
function contentFaults({ templateId, subject, body }: Record<string, unknown>): Fault[] {
  if (isGiven(templateId)) return []
  const missing = Object.entries({ subject, body }).filter(([, value]) => !isGiven(value))
  if (missing.length === 0) return []
  const faults = missing.map(([field]) => requiredFault(field))
  return [...faults, fault("templateId", "custom", "Send a templateId, or both subject and body.")]
}

export const previewIn = (sent: Static<typeof previewBody> | Static<typeof savedPreviewBody>): PreviewRequest => ({
  templateId: "templateId" in sent && sent.templateId ? parseId(sent.templateId) : undefined,
  subject: sent.subject ?? undefined,
  body: sent.body ?? undefined,
  text: sent.text === "" ? null : sent.text,
  contactId: sent.contactId ? parseId(sent.contactId) : undefined,
  data: (sent.data as JsonObject | null | undefined) ?? undefined,
  locale: sent.locale ?? undefined,
  type: sent.type ?? undefined,
  fromName: sent.fromName ?? undefined,
})
