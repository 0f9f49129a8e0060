/** What a backslash in double quotes makes plain; before other characters it stays. */
const escapable = '"\\`$'

/**
 * The variables of an environment file as systemd reads it (`EnvironmentFile=` in systemd.exec(5)), so that a command run
 * by hand has those of the server: a comment has a line of its own, in a value `#` is a character like others; quotes
 * count where a value begins; a backslash makes the next character plain, and joins two lines at the end of one.
 */
export function readAssignments(text: string): Record<string, string> {
  const lines = text.replaceAll("\r\n", "\n")
  const found: Record<string, string> = {}
  for (let at = 0; at < lines.length; ) {
    assignment.lastIndex = at
    const [begin = "", name] = assignment.exec(lines) ?? []
    if (name === undefined) at = endOfLine(lines, at)
    else {
      const { value, end } = readValue(lines, at + begin.length)
      found[name] = value
      at = end
    }
  }
  return found
}

const assignment = /[ \t]*([A-Za-z_]\w*)[ \t]*=/y

function endOfLine(text: string, from: number): number {
  const found = text.indexOf("\n", from)
  return found < 0 ? text.length : found + 1
}

/** The value that begins there, and where the line behind it does. */
function readValue(text: string, from: number): { value: string; end: number } {
  let value = ""
  /** So much of it stays although it ends in blanks. */
  let kept = 0
  let quote = ""
  let isPlain = false
  for (let at = from; at < text.length; at++) {
    const one = text.charAt(at)
    const next = text.charAt(at + 1)
    if (quote !== "" && one === quote) {
      quote = ""
      kept = value.length
    } else if (one === "\\" && (quote === "" || (quote === '"' && `${escapable}\n`.includes(next)))) {
      at++
      if (next !== "\n") value += next
      kept = value.length
      isPlain ||= quote === ""
    } else if (quote !== "") value += one
    else if (one === "\n") return { value: value.slice(0, kept) + value.slice(kept).trimEnd(), end: at + 1 }
    else if (!isPlain && (one === '"' || one === "'")) quote = one
    else if (isPlain || (one !== " " && one !== "\t")) {
      value += one
      isPlain = true
    }
  }
  return { value: value.slice(0, kept) + value.slice(kept).trimEnd(), end: text.length }
}
