import { type Static, Type as t } from "@sinclair/typebox"
import { BareError } from "../../http/envelope.ts"
import { about, named } from "../../http/openapi/describe.ts"
import { choiceIn, type Query, searchIn } from "../../http/page.ts"
import { isGiven, optional, shape, withRules } from "../../http/schema.ts"
import { iso } from "../../kernel/clock.ts"
import { canonicalAddress } from "../../kernel/email-address.ts"
import { contentFaults, contentFields, contentOptions, isBlank, mailType } from "./content-wire.ts"
import { newTemplateExample, type templateSchema } from "./document.ts"
import type { TemplateChange, TemplateFields } from "./rules.ts"
import { sortKeys, type TemplateFilter, type TemplateOrder } from "./store.ts"
import { mailTypes, type Template } from "./table.ts"

/** The body of `POST /templates` (contract A6.2). */
export const newTemplateBody = withRules(
  named(
    "TemplateRequest",
    shape({
      ...contentFields,
      ...contentOptions,
      type: about("`MARKETING` when left out.", optional(mailType)),
    }),
    newTemplateExample,
  ),
  contentFaults,
)

/** The body of `PATCH /templates/{id}` (contract A6.4): null clears what may be null. */
export const templateChangeBody = withRules(
  named(
    "TemplateChange",
    shape({
      name: t.Optional(contentFields.name),
      subject: t.Optional(contentFields.subject),
      body: t.Optional(contentFields.body),
      from: t.Optional(contentFields.from),
      ...contentOptions,
      type: t.Optional(mailType),
    }),
    { subject: "Welcome, {{name ?? friend}}", replyTo: null },
  ),
  contentFaults,
)

const required = ["name", "subject", "body", "from"] as const

/**
 * Refuses a template without one of its four required fields, with a bare error, before its shape is checked (contract
 * A1.8).
 */
export function requireFields(sent: unknown): void {
  const body = (sent ?? {}) as Record<string, unknown>
  const missing = required.find((field) => !isGiven(body[field]) || isBlank(body[field]))
  if (missing) throw new BareError(`${missing} is required.`)
}

const canonicalOr = <T extends null | undefined>(address: string | T): string | T =>
  typeof address === "string" ? canonicalAddress(address) : address

export const fieldsIn = (sent: Static<typeof newTemplateBody>): TemplateFields => ({
  name: sent.name,
  description: sent.description ?? null,
  subject: sent.subject,
  body: sent.body,
  text: sent.text ?? null,
  from: canonicalAddress(sent.from),
  fromName: sent.fromName ?? null,
  replyTo: canonicalOr(sent.replyTo ?? null),
  type: sent.type ?? "MARKETING",
})

export const changeIn = (sent: Static<typeof templateChangeBody>): TemplateChange => ({
  name: sent.name,
  description: sent.description,
  subject: sent.subject,
  body: sent.body,
  text: sent.text,
  from: canonicalOr(sent.from),
  fromName: sent.fromName,
  replyTo: canonicalOr(sent.replyTo),
  type: sent.type,
})

/** The query of a list is never refused: unknown values are ignored (contract A1.4, A6.1). */
export const filterIn = (query: Query): TemplateFilter => ({
  type: mailTypes.find((type) => type === query.type),
  search: searchIn(query.search),
})

export const orderIn = (query: Query): TemplateOrder => ({
  sort: choiceIn(query.sort, sortKeys, "createdAt"),
  dir: choiceIn(query.dir, ["asc", "desc"], "desc"),
})

export const presentTemplate = (template: Template): Static<typeof templateSchema> => ({
  id: template.id,
  name: template.name,
  description: template.description,
  subject: template.subject,
  body: template.body,
  text: template.text,
  from: template.from,
  fromName: template.fromName,
  replyTo: template.replyTo,
  type: template.type,
  projectId: template.projectId,
  createdAt: iso(template.createdAt),
  updatedAt: iso(template.updatedAt),
})
