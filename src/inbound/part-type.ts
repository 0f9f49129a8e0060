import type { AttachmentStream } from "mailparser"
import { buildHeaderValue } from "nodemailer/lib/mime-funcs"
import { isMediaType } from "../kernel/media-type.ts"
import { percentDecoded } from "../kernel/percent-encoding.ts"
import type { Disposition } from "../mail/transport.ts"

const unknownType = "application/octet-stream"
/** As of a request (contract A4.2); a longer one would be a line that is too long, for it cannot be folded. */
const maxTypeLength = 255
/** The name of a charset (RFC 2978, 2.3). */
const charsetForm = /^[\w!#$%&'+^`{}~-]{1,40}$/
/** Types of parts that are another form of the body, not a file. */
const alternatives = /^text\/(?:calendar|x-amp-html|watch-html)$/

interface FieldOfPart {
  readonly value?: string
  readonly params?: Record<string, string>
}

const fieldOf = ({ headers }: AttachmentStream, name: string) => (headers.get(name) ?? {}) as FieldOfPart

/**
 * The media type of a part as its sender declares it. The package guesses the type of an unknown file by its name,
 * which is only needed for pictures that the HTML shows.
 */
export function givenType(part: AttachmentStream, contentId: string): string {
  const { value = "" } = fieldOf(part, "content-type")
  const isPicture = contentId !== "" && part.contentType.startsWith("image/")
  return value.toLowerCase() === unknownType && !isPicture ? unknownType : part.contentType
}

/**
 * The type in a form that can be written again. Alternatives of the body keep all parameters, such as the method of an
 * invitation; text files keep their charset, without which they cannot be read.
 */
export function writtenType(type: string, part: AttachmentStream): string {
  // Without a comment (RFC 2045, 5.1).
  const [plain = ""] = type.split(/[\s(]/, 1)
  const { params = {} } = fieldOf(part, "content-type")
  if (alternatives.test(type)) return buildHeaderValue({ value: type, params })
  if (!isMediaType(plain) || plain.length > maxTypeLength) return unknownType
  const { charset = "" } = params
  return plain.startsWith("text/") && charsetForm.test(charset) ? `${plain}; charset=${charset}` : plain
}

/** How programs show the part. */
export function dispositionOf(type: string, part: AttachmentStream, contentId: string): Disposition {
  const { contentDisposition, related } = part
  if (alternatives.test(type) && contentDisposition !== "attachment") return "alternative"
  return contentDisposition === "inline" || (related && contentId !== "") ? "inline" : "attachment"
}

/** Whether a part with this id is a picture that the HTML may show, also where it stands beside the HTML as a file does. */
export function isShowable(part: AttachmentStream, contentId: string): boolean {
  const { value = "" } = fieldOf(part, "content-disposition")
  return contentId !== "" && part.contentType.startsWith("image/") && value.toLowerCase() !== "attachment"
}

/** A message has 500 parts at most. */
const mostIds = 10_000

/** The content ids of `cid:` links in HTML, as written and as in a URL (RFC 2392). Not every program encodes spaces there. */
export function idsShownBy(html: string): ReadonlySet<string | null> {
  const ids = new Set<string>()
  for (const [, link = ""] of html.matchAll(/\bcid:([^"'<>()]{1,765})/gi)) {
    if (ids.size >= mostIds) break
    for (const id of [link, link.split(/\s/, 1)[0] ?? ""]) ids.add(id).add(percentDecoded(id))
  }
  return ids
}
