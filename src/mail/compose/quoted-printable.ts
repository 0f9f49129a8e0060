const lineLength = 76
const [tab, lf, cr, space, equals] = [9, 10, 13, 32, 61]
const digits = Buffer.from("0123456789ABCDEF")

/**
 * Text with CRLF line ends as quoted-printable (RFC 2045, 6.7), one pass over its UTF-8 octets. Lines break between
 * characters, never inside one.
 */
export function quotedPrintable(text: string): Uint8Array {
  const from = Buffer.from(text)
  // Three octets for each byte, and a soft break of three for every line, which holds at least 63 octets.
  const to = Buffer.allocUnsafe(from.length * 3 + Math.ceil(from.length / 20) * 3 + 3)
  let size = 0
  let column = 0
  for (let at = 0; at < from.length; at++) {
    const octet = from[at] ?? 0
    if (octet === cr || octet === lf) {
      to[size++] = octet
      column = 0
      continue
    }
    const literal = isLiteral(octet, from[at + 1])
    // One column is reserved for the soft break.
    if (column + (literal ? 1 : 3 * octetsOf(octet)) >= lineLength) {
      to[size++] = equals
      to[size++] = cr
      to[size++] = lf
      column = 0
    }
    if (literal) {
      to[size++] = octet
      column++
    } else {
      to[size++] = equals
      to[size++] = digits[octet >> 4] ?? 0
      to[size++] = digits[octet & 15] ?? 0
      column += 3
    }
  }
  return to.subarray(0, size)
}

/** Printable ASCII except `=`, and white space that is not at the end of a line. */
function isLiteral(octet: number, next: number | undefined): boolean {
  if (octet === space || octet === tab) return next !== undefined && next !== cr && next !== lf
  return octet > space && octet < 127 && octet !== equals
}

/** The number of octets of the character that begins with this one; 1 for continuation octets. */
const octetsOf = (octet: number): number => (octet < 0xc0 ? 1 : octet < 0xe0 ? 2 : octet < 0xf0 ? 3 : 4)
