import { isAscii, isUtf8 } from "node:buffer"
import { Transform, type TransformCallback } from "node:stream"

/** Converts text of unknown charset to UTF-8; the charset is detected from the octets. */
export class UnknownText extends Transform {
  private readonly chunks: Buffer[] = []

  constructor(private readonly likely: typeof charsetOf = charsetOf) {
    super()
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    this.chunks.push(chunk)
    done()
  }

  override _flush(done: TransformCallback): void {
    const bytes = Buffer.concat(this.chunks)
    const charset = this.likely(bytes)
    done(null, charset === "utf-8" ? bytes : Buffer.from(new TextDecoder(charset).decode(bytes)))
  }
}

/**
 * The likely charset of text: UTF-16 where many characters have a zero octet, else UTF-8 where it is valid, else what HTML
 * tells of itself, else windows-1252, which is most often right.
 */
export function charsetOf(bytes: Buffer): string {
  return utf16Of(bytes) ?? (isUtf8Text(bytes) ? "utf-8" : toldCharset(bytes))
}

/** The same for text declared as UTF-8, which counts as that if it has any valid multi-octet character. */
export const charsetOfUtf8 = (bytes: Buffer): string =>
  isUtf8(bytes) || /[\u0080-\ufffc]/.test(bytes.toString("utf8")) ? "utf-8" : charsetOf(bytes)

/** The same for text that is said to be UTF-16: which half of a character comes first is often said by its octets alone. */
export const charsetOfUtf16 = (bytes: Buffer): string => utf16Of(bytes) ?? "utf-16le"

function utf16Of(bytes: Buffer): string | undefined {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return "utf-16le"
  if (first === 0xfe && second === 0xff) return "utf-16be"
  const sample = bytes.subarray(0, 1024)
  if (bytes.length % 2 !== 0 || !sample.includes(0)) return undefined
  let even = 0
  let odd = 0
  for (const [at, octet] of sample.entries()) if (octet === 0) at % 2 === 0 ? even++ : odd++
  if (even + odd < Math.max(2, sample.length / 8)) return undefined
  return even === 0 ? "utf-16le" : odd === 0 ? "utf-16be" : undefined
}

/** The charset that HTML declares within the bytes that the HTML standard scans; not a Unicode encoding. */
function toldCharset(bytes: Buffer): string {
  const told = /<meta\s[^>]{0,200}?charset\s*=\s*["']?([\w-]+)/i.exec(bytes.toString("latin1", 0, 1024))?.[1] ?? ""
  try {
    const { encoding } = new TextDecoder(told)
    return encoding.startsWith("utf-") ? "windows-1252" : encoding
  } catch {
    return "windows-1252"
  }
}

/** A truncated last character is accepted after valid UTF-8. */
function isUtf8Text(bytes: Uint8Array): boolean {
  if (isUtf8(bytes)) return true
  let end = bytes.length
  while (end > bytes.length - 3 && (bytes[end - 1] ?? 0) >= 0x80) end--
  const whole = bytes.subarray(0, end)
  return isUtf8(whole) && !isAscii(whole)
}
