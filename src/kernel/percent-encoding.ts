/** The text that percent-encoding stands for (RFC 3986, 2.1); a text that is not encoded so, as it is. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
