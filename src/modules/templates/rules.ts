import type { Template } from "./table.ts"

/** The fields of a template that a request can set, in canonical form. */
export type TemplateFields = Pick<
  Template,
  "name" | "description" | "subject" | "body" | "text" | "from" | "fromName" | "replyTo" | "type"
>

/** The fields of a template that a request changes; `undefined` keeps the stored value. */
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

/** The name of a copy (contract A6.6, B1.3); one that would be too long is cut. */
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

/** The fields of a copy of a template (contract A6.6). */
export const copyOf = (template: Template): TemplateFields => ({ ...template, name: nameOfCopy(template.name) })

/**
 * The text that is searched: name, subject and description, case-folded. The description is last, because only it may
 * contain a NUL, at which a database stops reading.
 */
export const searchTextOf = ({ name, subject, description }: TemplateFields): string =>
  caseFold(`${name}\n${subject}\n${description ?? ""}`)

/**
 * Removes the case of a text in any script. Lower case first, which normalizes characters that look like others, such
 * as the Kelvin sign. Upper case last, because it has only one sigma, while lower case has another one for the end of a
 * word.
 */
export const caseFold = (text: string): string => text.normalize("NFC").toLowerCase().toUpperCase()

/** The text part of a request that may override a template: the template's belongs to the template's body (contract A4.3.9). */
export const textOf = (
  { text, body }: { readonly text?: string | null | undefined; readonly body?: string | undefined },
  template: { readonly text: string | null } | undefined,
): string | null => (text === undefined && body === undefined ? (template?.text ?? null) : (text ?? null))
