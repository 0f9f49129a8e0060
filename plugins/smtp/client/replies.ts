import { asBuffer } from "./bytes.ts"

/** A reply of the server (RFC 5321, 4.2): its lines as they came, without line ends. */
export interface Reply {
  readonly code: number
  readonly lines: readonly string[]
}

export const replyText = ({ lines }: Reply): string => lines.join("\n")

interface ReplyReader {
  /** Takes what the server sent, in any pieces. Returns what is wrong with it; nothing may follow after that. */
  feed(bytes: Uint8Array): string | undefined
  /** Whether a reply has begun and not ended. */
  readonly isMidway: boolean
}

// RFC 5321 (4.5.3.1.5) has lines of 512 octets; servers exceed that with texts and links in refusals.
const longestLine = 16_384
const longestReply = 65_536
const mostLines = 256

/** Reads replies, tolerating line ends without CR. `found` is called for each as soon as it is complete. */
export function createReplyReader(found: (reply: Reply) => void): ReplyReader {
  let rest = nothing
  let lines: string[] = []
  let size = 0

  function take(line: string): string | undefined {
    const code = codeOf(line)
    if (code === undefined) return `no SMTP reply: ${line.slice(0, 200)}`
    const [first] = lines
    if (first !== undefined && first[0] !== line[0]) return "a reply whose lines contradict each other"
    lines.push(line)
    size += line.length
    if (size > longestReply || lines.length > mostLines) return "a reply that is too long"
    if (line[3] === "-") return undefined
    const reply = { code, lines }
    lines = []
    size = 0
    found(reply)
    return undefined
  }

  return {
    feed(given) {
      const chunk = asBuffer(given)
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      let start = 0
      for (let end = bytes.indexOf(lf); end >= 0; end = bytes.indexOf(lf, start)) {
        if (end - start > longestLine) return "a reply with too long a line"
        const fault = take(bytes.toString("utf8", start, bytes[end - 1] === cr && end > start ? end - 1 : end))
        if (fault !== undefined) return fault
        start = end + 1
      }
      // Copied, because the memory of the chunk is not ours.
      rest = start === bytes.length ? nothing : Buffer.from(bytes.subarray(start))
      return rest.length > longestLine ? "a reply with too long a line" : undefined
    },
    get isMidway() {
      return rest.length > 0 || lines.length > 0
    },
  }
}

const [lf, cr] = [10, 13]
const nothing: Buffer = Buffer.alloc(0)

function codeOf(line: string): number | undefined {
  const [a, b, c] = [line.charCodeAt(0) - 48, line.charCodeAt(1) - 48, line.charCodeAt(2) - 48]
  const separator = line[3]
  if (!(a >= 1 && a <= 5 && b >= 0 && b <= 9 && c >= 0 && c <= 9)) return undefined
  return separator === undefined || separator === " " || separator === "-" ? a * 100 + b * 10 + c : undefined
}
