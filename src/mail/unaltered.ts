import { isAscii } from "node:buffer"

/** RFC 5322, 2.1.1; without CRLF. */
const longestLine = 998

/**
 * Whether no server has a reason to alter these bytes in transit, as it may with characters beyond ASCII, long lines, and
 * line ends other than CRLF.
 */
export function arrivesUnaltered(bytes: Buffer): boolean {
  if (!isAscii(bytes) || bytes.includes(0)) return false
  let returns = 0
  let start = 0
  for (let feed = bytes.indexOf(10); feed >= 0; feed = bytes.indexOf(10, start)) {
    if (bytes[feed - 1] !== 13 || feed - 1 - start > longestLine) return false
    returns++
    start = feed + 1
  }
  for (let at = bytes.indexOf(13); at >= 0; at = bytes.indexOf(13, at + 1)) returns--
  return returns === 0 && bytes.length - start <= longestLine
}
