/**
 * The most UTF-16 code units of user, host and port together. To read a host is to put the accents of each letter in order,
 * in a time that grows with the square of their number; a name in DNS has at most 253 characters.
 */
const longestAuthority = 300

/** These parts of a URL that has them. The parser drops tabs and line breaks wherever they are. */
const authority = /^[\0-\x20]*(?:[a-z][a-z\d+.-]*:[/\\]*|[/\\]{2,})([^/\\?#]*)/i

function isReadable(text: string): boolean {
  if (text.length <= longestAuthority) return true
  const [, given = ""] = authority.exec(text.replace(/[\t\r\n]/g, "")) ?? []
  return given.length <= longestAuthority
}

/** A URL that a request, a mail, a template or an answer contains, relative to `base`; undefined for what is none. */
export const parseUrl = (text: string, base?: URL): URL | undefined =>
  (isReadable(text) && URL.parse(text, base)) || undefined

/** Whether `parseUrl` gives an absolute URL, for less than it costs to make it. */
export const isUrl = (text: string): boolean => isReadable(text) && URL.canParse(text)
