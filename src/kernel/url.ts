/**
 * The most UTF-16 code units of user, host and port together. To read a host is to put the accents of each letter in order,
 * in a time that grows with the square of their number; a name in DNS has at most 253 characters.
 */
const longestAuthority = 300

/** These parts of an absolute URL. The parser drops tabs and line breaks wherever they are. */
const authority = /^[\0-\x20]*[a-z][a-z\d+.-]*:[/\\]*([^/\\?#]*)/i

/** An absolute URL that a request, a mail or a template contains; undefined for what is none. */
export function parseUrl(text: string): URL | undefined {
  const [, given = ""] = authority.exec(text.replace(/[\t\r\n]/g, "")) ?? []
  return given.length > longestAuthority ? undefined : (URL.parse(text) ?? undefined)
}
