import addressparser from "nodemailer/lib/addressparser"
import { domainOf } from "../kernel/email-address.ts"
import type { Mailbox } from "../mail/transport.ts"
import { decodeField } from "./decode-field.ts"
import { type HeaderField, readHeaderFields } from "./header-fields.ts"

/** The number of characters that are read of one field; a To of a thousand recipients has about 40,000. */
const maxValueLength = 64 * 1024

/** The fields of a message for lists. Missing or malformed fields have the empty value of their type. */
export interface EnvelopeHeaders {
  /** The first author; the address may be any text. */
  readonly from: Mailbox | null
  readonly to: readonly Mailbox[]
  readonly cc: readonly Mailbox[]
  readonly replyTo: readonly Mailbox[]
  /** Decoded, one line; "" if there is none. */
  readonly subject: string
  /** Without angle brackets. */
  readonly messageId: string | null
  readonly date: number | null
  readonly listUnsubscribe: string | null
}

/** Reads only the header section of a raw message. Never throws, and takes bounded time for any input. */
export const readEnvelopeHeaders = (raw: Uint8Array): EnvelopeHeaders => envelopeHeaders(readHeaderFields(raw))

/** The same from parsed fields. The first of repeated fields counts. */
export function envelopeHeaders(fields: readonly HeaderField[]): EnvelopeHeaders {
  const first = new Map<string, string>()
  for (const { name, value } of fields) {
    const key = name.toLowerCase()
    if (value !== "" && !first.has(key)) first.set(key, value.slice(0, maxValueLength))
  }
  const decoded = (name: string) => decodeField(first.get(name) ?? "")
  const mailboxes = (name: string) => readMailboxes(first.get(name) ?? "")
  return {
    from: mailboxes("from")[0] ?? null,
    to: mailboxes("to"),
    cc: mailboxes("cc"),
    replyTo: mailboxes("reply-to"),
    subject: decoded("subject"),
    messageId: withoutBrackets(decoded("message-id")) || null,
    date: readDate(first.get("date")),
    listUnsubscribe: decoded("list-unsubscribe") || null,
  }
}

/** Most fields have one address, alone or behind words: these take a tenth of the time of the parser. */
const bare = /^[\w.+=-]{1,64}@[a-z\d.-]{1,255}$/i
const bracketed = /^(?:([a-z\d-]{1,60}(?: [a-z\d-]{1,60}){0,5}) )?<([\w.+=-]{1,64}@[a-z\d.-]{1,255})>$/i

/** Splits before it decodes, so that an encoded name cannot be mistaken for an address (RFC 2047, 5). */
function readMailboxes(value: string): Mailbox[] {
  if (value === "") return []
  if (bare.test(value)) return [{ name: "", address: value }]
  const simple = bracketed.exec(value)
  if (simple) return [{ name: simple[1] ?? "", address: simple[2] ?? "" }]
  return addressparser(value, { flatten: true })
    .filter(({ address }) => address !== "")
    .map(({ name, address }) => ({ name: decodeField(name), address: decodeAddress(address) }))
}

/**
 * Some programs encode what is before the `@`. A domain must stand as it is (RFC 2047, 5): in an encoded word nobody has
 * judged it.
 */
function decodeAddress(address: string): string {
  const decoded = decodeField(address)
  return address.includes("=?") && domainOf(decoded) !== domainOf(address) ? address : decoded
}

function withoutBrackets(id: string): string {
  const open = id.indexOf("<")
  const close = id.indexOf(">", open + 1)
  return open >= 0 && close > open ? id.slice(open + 1, close).trim() : id
}

function readDate(value: string | undefined): number | null {
  const at = value === undefined ? Number.NaN : Date.parse(value)
  return Number.isNaN(at) ? null : at
}
