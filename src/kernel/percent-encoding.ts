/** Decodes percent-encoding (RFC 3986, 2.1); a text that is not validly encoded is returned unchanged. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
