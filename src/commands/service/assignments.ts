/** The characters that a backslash escapes within double quotes; before any other it is kept. */
const escapable = '"\\`$'

/**
 * The variables of an environment file as systemd reads it (`EnvironmentFile=` in systemd.exec(5)), so that a command
 * run by hand has those of the server. A comment has a line of its own; within a value `#` is an ordinary character.
 * Quotes are special only at the start of a value. A backslash escapes the next character, and at the end of a line
 * continues that line.
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

/** The value that begins at this position, and the start of the line after it. */
function readValue(text: string, from: number): { value: string; end: number } {
  let value = ""
  /** The length of the value that is kept when trailing blanks are removed. */
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
