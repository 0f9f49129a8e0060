/**
 * The preheader of a mail is the line that lists of mail show after its subject. It is the hidden text at the start of the
 * body, so it needs no field of its own.
 */
const hidden = "display:none;max-height:0;overflow:hidden"

const startOfBody = /^\s*(?:<!doctype[^>]*>)?(?:[\s\S]*?<body\b[^>]*>)?/i
const preheader = /^\s*<div style="display:\s*none;[^"]*">([^<]*)<\/div>\n?/i

/**
 * `""` when there is none. Entities other than those of `<`, `>` and `&` stand as they are written: `&nbsp;` is a common
 * filler there.
 */
export function readPreheader(body: string): string {
  const [, text = ""] = preheader.exec(body.slice(startAt(body))) ?? []
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replace(/&amp;(?!#?\w+;)/g, "&")
}

/** The body with this preheader instead of its present one; an empty one is removed. */
export function withPreheader(body: string, text: string): string {
  const at = startAt(body)
  const [before, after] = [body.slice(0, at), body.slice(at)]
  const escaped = text
    .replace(/&(?!#?\w+;)/g, "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
  const found = preheader.exec(after)
  const lead = /^\s*/.exec(after)?.[0] ?? ""
  const line = `${lead}<div style="${hidden}">${escaped}</div>`
  if (found)
    return (
      before +
      (text === "" ? lead + after.slice(found[0].length) : line + endOf(found[0]) + after.slice(found[0].length))
    )
  return text === "" ? body : `${before}${line}\n${after.slice(lead.length)}`
}

const endOf = (found: string): string => (found.endsWith("\n") ? "\n" : "")

/** The start of the content: after the `body` tag, if there is one. */
const startAt = (body: string): number => (/<body\b/i.test(body) ? (startOfBody.exec(body)?.[0].length ?? 0) : 0)
