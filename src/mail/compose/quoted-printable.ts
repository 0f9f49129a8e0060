const lineLength = 76
const [tab, lf, cr, space, equals] = [9, 10, 13, 32, 61]
const digits = Buffer.from("0123456789ABCDEF")

/** Text with CRLF line ends as quoted-printable (RFC 2045, 6.7). Lines break between characters, never inside one. */
export const quotedPrintable = (text: string): string | Uint8Array =>
  /[^\t\r\n\x20-\x7e]/.test(text) ? anyText(text) : asciiText(text)

/** Text of printable ASCII, which most is, by native string operations, in half the time. */
function asciiText(text: string): string {
  const encoded = text.replaceAll("=", "=3D")
  const pieces: string[] = []
  for (let at = 0; at <= encoded.length; ) {
    const found = encoded.indexOf("\r\n", at)
    const end = found === -1 ? encoded.length : found
    while (end - at >= lineLength) {
      const cut = at + softBreak(encoded, at)
      pieces.push(encoded.slice(at, cut), "=\r\n")
      at = cut
    }
    pieces.push(withoutTrailingSpace(encoded.slice(at, end)), "\r\n")
    at = end + 2
  }
  pieces.pop()
  return pieces.join("")
}

/** How many characters of a long line stand before its soft break, which has one more: an encoded one stays whole. */
function softBreak(encoded: string, at: number): number {
  const most = lineLength - 1
  if (encoded.charCodeAt(at + most - 1) === equals) return most - 1
  return encoded.charCodeAt(at + most - 2) === equals ? most - 2 : most
}

/** White space at the end of a line is encoded, because servers may remove it; the line may need a soft break then. */
function withoutTrailingSpace(line: string): string {
  const last = line.charCodeAt(line.length - 1)
  if (last !== space && last !== tab) return line
  const code = last === space ? "=20" : "=09"
  const start = line.slice(0, -1)
  return start.length + 3 < lineLength ? start + code : `${start}=\r\n${code}`
}

/** Any text, one pass over its UTF-8 octets. */
function anyText(text: string): Uint8Array {
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
