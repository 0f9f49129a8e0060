const field = /^content-type[ \t]{0,9}:[ \t]{0,9}((?:[^\r\n]|\r?\n[ \t]){0,998})/im
/** Comments may stand between the words of a field, but not within quotes (RFC 2045, 5.1). */
const quotedOrComment = /"(?:[^"\\]|\\.){0,200}"|\((?:[^()\\]|\\.){0,200}\)/g
const bareNames: Readonly<Record<"text" | "plain" | "html", string>> = {
  text: "text/plain",
  plain: "text/plain",
  html: "text/html",
}

/** The value of the first Content-Type field of a head, on one line; undefined when there is none. */
export const contentTypeIn = (head: string): string | undefined => field.exec(head)?.[1]?.replace(/\r?\n/g, "")

/**
 * The value of a Content-Type field in the form that the MIME package understands: without comments, with a subtype, and
 * with the semicolon before the parameters that some scripts forget.
 */
export const plainContentType = (value: string): string =>
  withoutComments(value)
    .trim()
    .replace(/^(text|plain|html)(?=[ \t]{0,9}(?:;|$))/i, (name) => bareNames[name.toLowerCase() as "text"])
    .replace(/^([\w-]{1,40}\/[\w.+-]{1,80})[ \t]{1,9}(?=[\w-]{1,40}[ \t]{0,9}=)/, "$1; ")

/** A file name without quotes may have brackets: the parameters beside one are left as they are. */
function withoutComments(value: string): string {
  if (!value.includes("(")) return value
  const semicolon = value.indexOf(";")
  const end = /;[ \t]{0,9}name/i.test(value) && semicolon >= 0 ? semicolon : value.length
  const strip = (text: string) => text.replace(quotedOrComment, (found) => (found.startsWith("(") ? " " : found))
  return strip(value.slice(0, end)) + value.slice(end)
}
