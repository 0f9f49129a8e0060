/** A line of `format=flowed`: how deep it is quoted, and what it says. */
interface FlowedLine {
  readonly depth: number
  readonly text: string
}

/** The line before a signature, which never flows (RFC 3676, 4.3). */
const signature = "-- "

/**
 * The paragraphs of a text of `format=flowed` (RFC 3676, 4), each on one line: one that goes on with the same depth of quoting
 * was broken by its program.
 */
export function paragraphsOf(text: string, deletesBlank: boolean): string {
  const paragraphs: string[] = []
  let parts: string[] = []
  let last: FlowedLine | undefined
  const end = () => {
    if (last) paragraphs.push(written({ depth: last.depth, text: parts.join("") }))
    parts = []
  }
  for (const line of text.split("\n").map(readLine)) {
    const isSoft = last?.text.endsWith(" ") && last.text !== signature
    if (!isSoft || last?.depth !== line.depth || line.text === signature) end()
    else if (deletesBlank) parts.push(parts.pop()?.slice(0, -1) ?? "")
    parts.push(line.text)
    last = line
  }
  end()
  return paragraphs.join("\n")
}

function readLine(line: string): FlowedLine {
  const depth = /^>*/.exec(line)?.[0].length ?? 0
  const text = line.slice(depth)
  return { depth, text: text.startsWith(" ") ? text.slice(1) : text }
}

const written = ({ depth, text }: FlowedLine): string =>
  depth === 0 ? text : `${">".repeat(depth)}${text === "" ? "" : " "}${text}`
