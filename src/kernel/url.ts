/**
 * The most UTF-16 code units of user, host and port together. Parsing a host sorts the accents of each letter, which
 * takes time quadratic in their number; a name in DNS has at most 253 characters.
 */
const longestAuthority = 300

/** Matches user, host and port of a URL. The parser ignores tabs and line breaks anywhere. */
const authority = /^[\0-\x20]*(?:[a-z][a-z\d+.-]*:[/\\]*|[/\\]{2,})([^/\\?#]*)/i

function isReadable(text: string): boolean {
  if (text.length <= longestAuthority) return true
  const [, given = ""] = authority.exec(text.replace(/[\t\r\n]/g, "")) ?? []
  return given.length <= longestAuthority
}

/** Parses a URL from untrusted input, such as a request or a mail, relative to `base`; undefined when it is invalid. */
export const parseUrl = (text: string, base?: URL): URL | undefined =>
  (isReadable(text) && URL.parse(text, base)) || undefined

/** Whether `parseUrl` accepts the text as an absolute URL; cheaper than parsing it. */
export const isUrl = (text: string): boolean => isReadable(text) && URL.canParse(text)
