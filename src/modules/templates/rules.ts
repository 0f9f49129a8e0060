import type { Template } from "./table.ts"

/** What a request can say of a template, in canonical form. */
export type TemplateFields = Pick<
  Template,
  "name" | "description" | "subject" | "body" | "from" | "fromName" | "replyTo" | "type"
>

/** The fields of a template that a request changes; `undefined` keeps what is there. */
export type TemplateChange = { readonly [K in keyof TemplateFields]?: TemplateFields[K] | undefined }

/** The template after a change; the same object when nothing changes (contract A1.1.6). */
export function changed(known: Template, change: TemplateChange, now: number): Template {
  const changes = Object.entries(change).filter(
    ([field, value]) => value !== undefined && value !== known[field as keyof TemplateFields],
  )
  return changes.length === 0 ? known : { ...known, ...Object.fromEntries(changes), updatedAt: now }
}

/** The longest name of a template or a campaign, in code points. */
export const maxName = 255

/** What a copy is called (contract A6.6, B1.3); a name that would be too long is cut at its end. */
export function nameOfCopy(name: string): string {
  const mark = " (Copy)"
  const whole = name.length + mark.length <= maxName
  return `${
    whole
      ? name
      : Array.from(name)
          .slice(0, maxName - mark.length)
          .join("")
  }${mark}`
}

/** What a copy of a template says (contract A6.6). */
export const copyOf = (template: Template): TemplateFields => ({ ...template, name: nameOfCopy(template.name) })

/**
 * What a search looks at: name, subject and description, case-folded. The description comes last, because it alone may
 * hold a NUL, at which a database stops reading.
 */
export const searchTextOf = ({ name, subject, description }: TemplateFields): string =>
  caseFold(`${name}\n${subject}\n${description ?? ""}`)

/**
 * A text without its case, in any script. Lower case first: it brings back characters that only look like another, such
 * as the Kelvin sign. Upper case last: it knows one sigma, where lower case has one more for the end of a word.
 */
export const caseFold = (text: string): string => text.normalize("NFC").toLowerCase().toUpperCase()
