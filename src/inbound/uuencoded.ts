/** A file in a text, as `uuencode` writes it (POSIX). */
interface EncodedFile {
  /** As written, not sanitized. */
  readonly name: string
  readonly content: Uint8Array
}

const mostFiles = 100
const firstLine = /^begin [0-7]{3,4} (\S[^\r\n]{0,254})$/
const space = 0x20
const graveAccent = 0x60
const octetsOfLine = 45

/**
 * Separates a text from the files in it. Only complete files count: a `begin` line, lines of the right length, and
 * `end`. Takes linear time, since no line of a file can begin another one.
 */
export function splitUuencoded(text: string): { readonly text: string; readonly files: readonly EncodedFile[] } {
  const files: EncodedFile[] = []
  const rest: string[] = []
  let from = 0
  for (let at = nextBegin(text, 0); at >= 0 && files.length < mostFiles; ) {
    const found = fileAt(text, at)
    if (found) {
      files.push(found.file)
      rest.push(text.slice(from, at))
      from = found.end
    }
    at = nextBegin(text, found?.end ?? at + 1)
  }
  return files.length === 0 ? { text, files } : { text: [...rest, text.slice(from)].join(""), files }
}

/** The position of the next `begin` line; -1 when there is none. */
function nextBegin(text: string, from: number): number {
  if (text.startsWith("begin ", from) && (from === 0 || text[from - 1] === "\n")) return from
  const found = text.indexOf("\nbegin ", from)
  return found < 0 ? -1 : found + 1
}

/** The file that begins here, and the position after it. Lines end with LF. */
function fileAt(text: string, at: number): { readonly file: EncodedFile; readonly end: number } | undefined {
  const [head, afterHead] = lineAt(text, at)
  const name = firstLine.exec(head)?.[1]
  if (name === undefined) return undefined
  const pieces: Uint8Array[] = []
  for (let next = afterHead; next < text.length; ) {
    const [line, after] = lineAt(text, next)
    if (line.trimEnd() === "end") {
      if (pieces.length === 0) return undefined
      return { file: { name: name.trimEnd(), content: Buffer.concat(pieces) }, end: after }
    }
    const octets = decodeLine(line)
    if (octets === undefined) return undefined
    if (octets.length > 0) pieces.push(octets)
    next = after
  }
  return undefined
}

/** The line that begins here, and the position of the next one. */
function lineAt(text: string, at: number): readonly [line: string, next: number] {
  const feed = text.indexOf("\n", at)
  return feed < 0 ? [text.slice(at), text.length] : [text.slice(at, feed), feed + 1]
}

/**
 * Decodes a line: the number of octets, then four characters for every three of them. Trailing blanks, which stand for
 * zeros, may have been removed; some programs add a checksum. Undefined for an invalid line.
 */
function decodeLine(line: string): Uint8Array | undefined {
  const count = valueAt(line, 0)
  if (count === undefined || count > octetsOfLine) return undefined
  const digits = 4 * Math.ceil(count / 3)
  if (line.length > digits + 2) return undefined
  const octets = new Uint8Array(count)
  for (let index = 0; index < digits; index++) {
    const value = valueAt(line, index + 1)
    if (value === undefined) return undefined
    const start = Math.floor((index * 6) / 8)
    const shift = 10 - ((index * 6) % 8)
    const bits = value << shift
    octets[start] = (octets[start] ?? 0) | (bits >> 8)
    octets[start + 1] = bits & 0xff
  }
  return octets
}

/** The six bits of a character; a blank may be written as a grave accent. Undefined for any other character. */
function valueAt(line: string, index: number): number | undefined {
  const code = index < line.length ? line.charCodeAt(index) : space
  return code < space || code > graveAccent ? undefined : (code - space) & 63
}
