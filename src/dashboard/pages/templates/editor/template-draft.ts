import { refusalOf } from "../../../api/refusal.ts"
import {
  changeTemplate,
  createTemplate,
  getTemplate,
  type Template,
  type TemplateFields,
} from "../../../api/templates.ts"
import { contentFields, contentForm, normalizeLineBreaks, orNull } from "../../../parts/content/content-fields.ts"
import { type Draft, type DraftKind, useDraft } from "../../../parts/draft/use-draft.ts"
import { cacheTemplate } from "../../../queries/templates.ts"

export type TemplateDraft = Draft<Template, TemplateFields>

const names = ["name", ...contentFields] as const

const fieldsOf = (template: Template): TemplateFields => ({
  name: template.name,
  description: template.description,
  subject: template.subject,
  body: normalizeLineBreaks(template.body),
  text: template.text === null ? null : normalizeLineBreaks(template.text),
  from: template.from,
  fromName: template.fromName,
  replyTo: template.replyTo,
  type: template.type,
})

/** The fields as they are sent: null instead of an empty optional text. */
const asSent = (fields: TemplateFields): TemplateFields => ({
  ...fields,
  description: orNull(fields.description),
  text: orNull(fields.text) === null ? null : fields.text,
  fromName: orNull(fields.fromName),
  replyTo: orNull(fields.replyTo),
})

/** The fields to send: those that differ from the template. */
function changesTo(template: Template, fields: TemplateFields): Partial<TemplateFields> {
  const stored = asSent(fieldsOf(template))
  const wanted = asSent(fields)
  return Object.fromEntries(names.filter((name) => wanted[name] !== stored[name]).map((name) => [name, wanted[name]]))
}

const kind: DraftKind<Template, TemplateFields, Template> = {
  noun: "template",
  pathOf: ({ id }) => `/templates/${id}`,
  contentOf: fieldsOf,
  isChanged: (fields, base) => Object.keys(changesTo(base, fields)).length > 0,
  load: getTemplate,
  save: (projectId, fields, stored) => changeTemplate(projectId, stored.id, changesTo(stored, fields)),
  cache: cacheTemplate,
  refusalOf: (cause) => refusalOf(cause, contentForm),
  createAgain: (projectId, fields) => createTemplate(projectId, asSent(fields)),
}

export const useTemplateDraft = (template: Template, isGone: boolean): TemplateDraft => useDraft(template, kind, isGone)
