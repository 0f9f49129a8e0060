const [tab, lf, cr, space, equals] = [9, 10, 13, 32, 61]
const digits = Buffer.from("0123456789ABCDEF")

/** Printable ASCII but `=` is literal; a blank is, unless it ends a line; all other octets are encoded. */
const [literal, blank, encoded, lineEnd] = [0, 1, 2, 3]
const kinds = new Uint8Array(256).fill(encoded)
for (let octet = space + 1; octet < 127; octet++) kinds[octet] = octet === equals ? encoded : literal
for (const octet of [tab, space]) kinds[octet] = blank
for (const octet of [cr, lf]) kinds[octet] = lineEnd

/**
 * Whether four octets may include one that is not printable ASCII, or `=`: each sum has the highest bit of an octet set
 * where that is so, and sometimes of the one after it.
 */
const mayNeedEncoding = (four: number): boolean =>
  (((four - 0x20202020) | (four + 0x01010101) | four | ((four ^ 0x3d3d3d3d) - 0x01010101)) & 0x80808080) !== 0

/** A line has 76 columns, of which the last is reserved for a soft break. */
const mostColumns = 75

/** The most octets that `octets` of UTF-8 become: three each, and a soft break for every line, which holds at least 20. */
export const mostQuoted = (octets: number): number => octets * 3 + Math.ceil(octets / 20) * 3

/**
 * Writes text as quoted-printable (RFC 2045, 6.7) with CRLF at the end of each line, in one pass over its UTF-8 octets;
 * returns where it ends. Lines break between characters, never inside one. There must be room for `mostQuoted` octets: the
 * text is first put at the end of it, where what is written comes only after it has been read.
 */
export function writeQuotedPrintable(text: string, to: Buffer, start: number): number {
  const octets = Buffer.byteLength(text)
  const length = start + mostQuoted(octets)
  to.write(text, length - octets)
  const words = new DataView(to.buffer, to.byteOffset, to.byteLength)
  let size = start
  let column = 0
  let at = length - octets
  while (at < length) {
    // Most of a text is words: these are the loops that count.
    const [from, end] = [at, Math.min(length, at + mostColumns - column)]
    for (; at <= end - 4; at += 4, size += 4) {
      const four = words.getInt32(at, true)
      if (mayNeedEncoding(four)) break
      words.setInt32(size, four, true)
    }
    let octet = 0
    while (at < end) {
      octet = to[at] as number
      if ((kinds[octet] as number) > blank) break
      to[size++] = octet
      at++
    }
    column += at - from
    if (at === length) break
    octet = to[at] as number
    if (kinds[octet] === lineEnd) {
      if (column > 0) size = withoutBlankEnd(to, size, column)
      to[size++] = cr
      to[size++] = lf
      column = 0
      if (octet === cr && at + 1 < length && to[at + 1] === lf) at++
      at++
      continue
    }
    const isLiteral = kinds[octet] !== encoded
    if (column + (isLiteral ? 1 : 3 * octetsOf(octet)) > mostColumns) {
      size = softBreak(to, size)
      column = 0
    }
    if (isLiteral) continue
    size = writeEncoded(to, size, octet)
    column += 3
    at++
  }
  return column > 0 ? withoutBlankEnd(to, size, column) : size
}

/** Encodes the blank that ends a line, because servers may take it away. Returns the new end. */
function withoutBlankEnd(to: Buffer, size: number, column: number): number {
  const last = to[size - 1] as number
  if (kinds[last] !== blank) return size
  return writeEncoded(to, column + 2 > mostColumns ? softBreak(to, size - 1) : size - 1, last)
}

function writeEncoded(to: Buffer, at: number, octet: number): number {
  to[at] = equals
  to[at + 1] = digits[octet >> 4] as number
  to[at + 2] = digits[octet & 15] as number
  return at + 3
}

function softBreak(to: Buffer, at: number): number {
  to[at] = equals
  to[at + 1] = cr
  to[at + 2] = lf
  return at + 3
}

/** The number of octets of the character that begins with this one; 1 for continuation octets. */
const octetsOf = (octet: number): number => (octet < 0xc0 ? 1 : octet < 0xe0 ? 2 : octet < 0xf0 ? 3 : 4)
