import type { HeaderField } from "./header-fields.ts"

/** Fields by which programs say that they answer for a person, of which all but the first are older than RFC 3834. */
const marks: ReadonlyMap<string, RegExp> = new Map([
  ["auto-submitted", /^(?!no\b)/i],
  ["precedence", /^(?:bulk|junk|auto_reply)\b/i],
  ["x-autoreply", /^(?!no\b)/i],
  ["x-autorespond", /^/],
  ["x-autoresponder", /^/],
])

/** The names of these fields, in lower case. */
export const marksOfAutomatic: readonly string[] = [...marks.keys()]

/** Whether a program sent the message by itself: such mail is never answered (RFC 3834, 2; RFC 5321, 4.5.5). */
export const isAutomatic = (mailFrom: string, fields: readonly HeaderField[]): boolean =>
  mailFrom === "" || fields.some(({ name, value }) => marks.get(name.toLowerCase())?.test(value.trim()) === true)
