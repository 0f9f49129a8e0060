import { about } from "../../http/openapi/describe.ts"
import { choice, choiceFaults, optional, text } from "../../http/schema.ts"
import { type Fault, fault } from "../../kernel/errors.ts"
import { maxSourceLength } from "../../mail/render/index.ts"
import { maxName } from "./rules.ts"
import { mailTypes } from "./table.ts"

// The common fields in requests of templates and campaigns.

const maxDescription = 2_000
/** Contract A9, row 8. */
export const maxSubject = 998

/** A name beside an address. Its length has a limit because every message repeats it, and every event about one. */
export const shownName = () => text({ max: 998, form: "line" })

export const textMeaning = "The text part, with template tags; made from the HTML when there is none."

/** Required fields of content. */
export const contentFields = {
  name: text({ min: 1, max: maxName, form: "line" }),
  subject: about("May hold template tags.", text({ min: 1, max: maxSubject, form: "line" })),
  body: about("HTML with template tags, such as `{{name ?? there}}`.", text({ min: 1, max: maxSourceLength })),
  from: about("Its domain must be verified for the project.", text({ form: "address" })),
}

/** Optional fields; null means none. */
export const contentOptions = {
  description: about("For those who work with it; never sent.", optional(text({ max: maxDescription }))),
  fromName: about(
    "Shown beside the sender's address. The name of the project when there is none.",
    optional(shownName()),
  ),
  replyTo: about("Where replies go.", optional(text({ form: "address" }))),
  text: about(textMeaning, optional(text({ min: 1, max: maxSourceLength }))),
}

export const mailType = choice(mailTypes)
export const typeFaults = (type: unknown): Fault[] => choiceFaults("type", type, mailTypes)

export const isBlank = (value: unknown): boolean => typeof value === "string" && value.trim() === ""

/** Rules beyond the schemas of the fields: content is not blank, and the type exists. */
export const contentFaults = (sent: Record<string, unknown>): Fault[] => [
  ...(["name", "subject", "body"] as const)
    .filter((field) => isBlank(sent[field]) && sent[field] !== "")
    .map((field) => fault(field, "too_small", `${field} must not be blank.`)),
  ...typeFaults(sent.type),
]
