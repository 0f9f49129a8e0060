/** What the server offers in its reply to EHLO (RFC 5321, 4.1.1.1). */
export interface Extensions {
  readonly pipelining: boolean
  /** BDAT in the place of DATA (RFC 3030). */
  readonly chunking: boolean
  readonly eightBitMime: boolean
  readonly smtpUtf8: boolean
  readonly startTls: boolean
  /** Whether MAIL takes the size of the message (RFC 1870). */
  readonly size: boolean
  /** Octets of the largest message that the server takes; 0 when it does not say. */
  readonly largest: number
  /** The mechanisms of AUTH, in upper case. */
  readonly login: readonly string[]
}

/** The extensions in the lines of a reply to EHLO; a reply to HELO has none. */
export function readExtensions(lines: readonly string[]): Extensions {
  const words = lines.slice(1).map((line) =>
    line
      .slice(4)
      .trim()
      .toUpperCase()
      // An old form of some servers: AUTH=PLAIN LOGIN.
      .replace(/^AUTH=/, "AUTH ")
      .split(/\s+/),
  )
  const has = (keyword: string): boolean => words.some(([first]) => first === keyword)
  const largest = words.find(([first]) => first === "SIZE")?.[1] ?? ""
  return {
    pipelining: has("PIPELINING"),
    chunking: has("CHUNKING"),
    eightBitMime: has("8BITMIME"),
    smtpUtf8: has("SMTPUTF8"),
    startTls: has("STARTTLS"),
    size: has("SIZE"),
    largest: /^\d{1,15}$/.test(largest) ? Number(largest) : 0,
    login: words.flatMap(([first, ...mechanisms]) => (first === "AUTH" ? mechanisms : [])),
  }
}
