import { type Static, Type as t } from "@sinclair/typebox"
import { BareError } from "../../http/envelope.ts"
import { about, named } from "../../http/openapi/describe.ts"
import { choiceIn, type Query, searchIn } from "../../http/page.ts"
import { optional, shape, text, withRules } from "../../http/schema.ts"
import { iso } from "../../kernel/clock.ts"
import { parseAddress } from "../../kernel/email-address.ts"
import { type Fault, fault } from "../../kernel/errors.ts"
import { maxSourceLength } from "../../mail/render/index.ts"
import { newTemplateExample, type templateSchema } from "./document.ts"
import type { TemplateChange, TemplateFields } from "./rules.ts"
import { sortKeys, type TemplateFilter, type TemplateOrder } from "./store.ts"
import { type MailType, mailTypes, type Template } from "./table.ts"

/** Contract A9, row 8. */
export const maxSubject = 998
const oneLine = () => text({ form: "line" })

/** Its choice is a rule of ours: a literal union would take a value of another JSON type for a wrong choice. */
export const mailType = t.Unsafe<MailType>({ ...text(), enum: [...mailTypes] })

const fields = {
  name: text({ min: 1, form: "line" }),
  subject: about("May hold template tags.", text({ min: 1, max: maxSubject, form: "line" })),
  body: about("HTML with template tags, such as `{{name ?? there}}`.", text({ min: 1, max: maxSourceLength })),
  from: about("Its domain must be verified for the project.", text({ form: "address" })),
  description: about("For those who work with it; never sent.", text()),
  fromName: about("Shown beside the sender's address. The name of the project when there is none.", oneLine()),
  replyTo: about("Where replies go.", text({ form: "address" })),
  type: mailType,
}

const optionals = {
  description: optional(fields.description),
  fromName: optional(fields.fromName),
  replyTo: optional(fields.replyTo),
}

/** The body of `POST /templates` (contract A6.2). */
export const newTemplateBody = withRules(
  named(
    "NewTemplate",
    shape({
      name: fields.name,
      subject: fields.subject,
      body: fields.body,
      from: fields.from,
      ...optionals,
      type: about("`MARKETING` when left out.", optional(fields.type)),
    }),
    newTemplateExample,
  ),
  (sent) => typeFaults(sent.type),
)

/** The body of `PATCH /templates/{id}` (contract A6.4): null clears what may be null. */
export const templateChangeBody = withRules(
  named(
    "TemplateChange",
    shape({
      name: t.Optional(fields.name),
      subject: t.Optional(fields.subject),
      body: t.Optional(fields.body),
      from: t.Optional(fields.from),
      ...optionals,
      type: t.Optional(fields.type),
    }),
    { subject: "Welcome, {{name ?? friend}}", replyTo: null },
  ),
  (sent) => [...blankFaults(sent), ...typeFaults(sent.type)],
)

const required = ["name", "subject", "body", "from"] as const
export const absent = (value: unknown): boolean => value === undefined || value === null

/** Refuses a template without one of its four required fields, with a bare error, before its shape is looked at (A1.8). */
export function requireFields(sent: unknown): void {
  const body = (sent ?? {}) as Record<string, unknown>
  const missing = required.find((field) => absent(body[field]) || isBlank(body[field]))
  if (missing) throw new BareError(`${missing} is required.`)
}

const isBlank = (value: unknown): boolean => typeof value === "string" && value.trim() === ""

/** A change cannot leave blank what a new template must have. */
const blankFaults = (sent: Record<string, unknown>): Fault[] =>
  (["name", "subject", "body"] as const)
    .filter((field) => isBlank(sent[field]))
    .map((field) => fault(field, "too_small", `${field} must not be blank.`))

export const typeFaults = (type: unknown): Fault[] =>
  typeof type !== "string" || mailTypes.some((one) => one === type)
    ? []
    : [fault("type", "invalid_enum", `type must be one of ${mailTypes.join(", ")}.`)]

/** The form an address is stored in; the schema has checked that it is one. */
const canonical = (address: string): string => parseAddress(address) ?? address
const canonicalOr = <T extends null | undefined>(address: string | T): string | T =>
  typeof address === "string" ? canonical(address) : address

export const fieldsIn = (sent: Static<typeof newTemplateBody>): TemplateFields => ({
  name: sent.name,
  description: sent.description ?? null,
  subject: sent.subject,
  body: sent.body,
  from: canonical(sent.from),
  fromName: sent.fromName ?? null,
  replyTo: canonicalOr(sent.replyTo ?? null),
  type: sent.type ?? "MARKETING",
})

export const changeIn = (sent: Static<typeof templateChangeBody>): TemplateChange => ({
  name: sent.name,
  description: sent.description,
  subject: sent.subject,
  body: sent.body,
  from: canonicalOr(sent.from),
  fromName: sent.fromName,
  replyTo: canonicalOr(sent.replyTo),
  type: sent.type,
})

/** Nothing in the query of a list is refused: what is not known is left out of account (contract A1.4, A6.1). */
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
  from: template.from,
  fromName: template.fromName,
  replyTo: template.replyTo,
  type: template.type,
  projectId: template.projectId,
  createdAt: iso(template.createdAt),
  updatedAt: iso(template.updatedAt),
})
