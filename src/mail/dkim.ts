import { type KeyObject, sign } from "node:crypto"
import { promisify } from "node:util"

/** A key that a domain signs its mail with (RFC 6376, RFC 8463). */
export interface SigningKey {
  readonly selector: string
  readonly algorithm: "rsa" | "ed25519"
  /** Not a PEM text: parsing one costs more than a signature. */
  readonly privateKey: KeyObject
}

export interface SigningOptions {
  readonly domain: string
  /** One signature is made with each, in this order. */
  readonly keys: readonly SigningKey[]
  /** The time of the signature, ms. It is the same for every attempt, so that each sends the same bytes. */
  readonly at: number
}

/** The headers that are signed if present. */
const signed =
  "from to subject date message-id reply-to mime-version content-type list-unsubscribe list-unsubscribe-post list-id feedback-id".split(
    " ",
  )
/** Headers that are signed once more than they occur (RFC 6376, 5.4), so that nobody can add another one. */
const oversigned = ["from", "subject"]

/** Signs the finished bytes of a message by putting a header in front of them: both in the same way. */
export interface Signer {
  /** What it signs with. */
  readonly options: SigningOptions
  sign(mime: Uint8Array): Uint8Array
  /** On another thread. */
  signOnThread(mime: Uint8Array): Promise<Uint8Array>
}

interface Header {
  readonly name: string
  /** The whole field as in the message, without the final CRLF. */
  readonly field: string
}

/**
 * Puts a DKIM signature for each key in front of a message: relaxed canonicalization of headers and body, the whole body,
 * SHA-256 (RFC 6376, RFC 8463). The message has CRLF lines and headers of ASCII, as the composer writes them.
 */
export function dkimSigner(options: SigningOptions): Signer {
  return {
    options,
    sign(mime) {
      const fields = fieldsFor(mime, options)
      return withFields(mime, fields, fields.map(signatureOf))
    },
    async signOnThread(mime) {
      const fields = fieldsFor(mime, options)
      return withFields(mime, fields, await Promise.all(fields.map(signatureOnThread)))
    },
  }
}

/** A DKIM-Signature field that lacks its signature. */
interface UnsignedField {
  readonly key: SigningKey
  readonly field: string
  /** What is to be signed. */
  readonly data: Buffer
}

function fieldsFor(mime: Uint8Array, { domain, keys, at }: SigningOptions): UnsignedField[] {
  const bytes = Buffer.from(mime.buffer, mime.byteOffset, mime.byteLength)
  const end = bytes.indexOf("\r\n\r\n")
  const headers = headersOf(bytes.toString("latin1", 0, end))
  const bodyHash = hashOf(relaxedBody(bytes.subarray(end + 4))).toString("base64")
  const names = signed.filter((name) => headers.some((header) => header.name === name))
  const listed = [...names, ...oversigned]
  const canonical = names.map((name) => relaxedHeader(last(headers, name))).join("\r\n")
  return keys.map((key) => {
    const tags = `v=1; a=${key.algorithm}-sha256; c=relaxed/relaxed; d=${domain}; s=${key.selector}; t=${Math.floor(at / 1_000)}`
    const field = fold(`DKIM-Signature: ${tags}; h=${listed.join(":")}; bh=${bodyHash}; b=`)
    const data = Buffer.from(`${canonical}\r\n${relaxedHeader({ name: "dkim-signature", field })}`, "latin1")
    return { key, field, data }
  })
}

function withFields(mime: Uint8Array, fields: readonly UnsignedField[], signatures: readonly Buffer[]): Uint8Array {
  const signed = fields.map(({ field }, at) => `${field}${chunks(signatures[at]?.toString("base64") ?? "")}\r\n`)
  return Buffer.concat([Buffer.from(signed.join(""), "latin1"), mime])
}

function signatureOf({ key: { algorithm, privateKey }, data }: UnsignedField): Buffer {
  // Ed25519 signs the hash of the data, not the data itself (RFC 8463, 3).
  return algorithm === "rsa" ? sign("sha256", data, privateKey) : sign(null, hashOf(data), privateKey)
}

const signWithRsa = promisify<string, Buffer, KeyObject, Buffer>(sign)

/** Only RSA takes long enough. */
const signatureOnThread = (field: UnsignedField): Promise<Buffer> | Buffer =>
  field.key.algorithm === "rsa" ? signWithRsa("sha256", field.data, field.key.privateKey) : signatureOf(field)

const hashOf = (data: Buffer): Buffer => new Bun.CryptoHasher("sha256").update(data).digest()

/** In the order of the message; a field is followed by its continuation lines. */
function headersOf(head: string): Header[] {
  return head
    .split(/\r\n(?![ \t])/)
    .map((field) => ({ name: field.slice(0, field.indexOf(":")).trim().toLowerCase(), field }))
}

/** Repeated headers are signed from the last one up (RFC 6376, 5.4.2). */
function last(headers: readonly Header[], name: string): Header {
  return headers.findLast((header) => header.name === name) ?? { name, field: `${name}:` }
}

/** RFC 6376, 3.4.2. */
function relaxedHeader({ name, field }: Header): string {
  const value = field.slice(field.indexOf(":") + 1).replaceAll("\r\n", "")
  return `${name}:${value.replace(/[ \t]+/g, " ").trim()}`
}

/** RFC 6376, 3.4.4. Most bodies have no white space that has to be changed: those are not copied. */
function relaxedBody(given: Buffer): Buffer {
  const text = given.toString("latin1")
  const body = needsRelaxing.test(text) ? Buffer.from(relaxed(text), "latin1") : given
  let end = body.length
  while (end >= 2 && body[end - 2] === cr && body[end - 1] === lf) end -= 2
  if (end === 0) return Buffer.alloc(0)
  return body.length >= end + 2 ? body.subarray(0, end + 2) : Buffer.concat([body, crlf])
}

const needsRelaxing = /\t| {2}| \r\n| $/

function relaxed(body: string): string {
  const lines = body.replace(/[ \t]+/g, " ").replaceAll(" \r\n", "\r\n")
  return lines.endsWith(" ") ? lines.slice(0, -1) : lines
}

const [cr, lf] = [13, 10]
const crlf = Buffer.from("\r\n")

const longestLine = 76

/** Breaks a field after semicolons and colons, where white space is allowed. */
function fold(field: string): string {
  let line = ""
  const lines: string[] = []
  for (const part of field.match(/[^;:]*[;:]?/g) ?? []) {
    if (line !== "" && line.length + part.length > longestLine) {
      lines.push(line)
      line = ` ${part.trimStart()}`
    } else line += part
  }
  return [...lines, line].join("\r\n")
}

/** A signature may be broken anywhere: verifiers remove the white space (RFC 6376, 3.5). */
const chunks = (base64: string): string => (base64.match(/.{1,72}/g) ?? []).map((part) => `\r\n ${part}`).join("")
