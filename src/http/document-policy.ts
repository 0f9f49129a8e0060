interface DocumentPolicyOptions {
  /** Whether images, styles, fonts and media of other servers may be loaded. */
  readonly remote: boolean
  /** Gives the document our origin, so that a page of ours can write into it. */
  readonly isOurs?: boolean
  /** Where images may come from in any case. */
  readonly images?: string
}

/** The content security policy of a document that shows the HTML of a mail: without scripts and forms, and framed by us only. */
export function documentPolicy({ remote, isOurs = false, images }: DocumentPolicyOptions): string {
  const sources = (...own: readonly (string | undefined)[]) =>
    [...own, ...(remote ? ["https:", "http:"] : [])].filter(Boolean).join(" ")
  return [
    `sandbox ${isOurs ? "allow-same-origin " : ""}allow-popups allow-popups-to-escape-sandbox`,
    "default-src 'none'",
    `style-src ${sources("'unsafe-inline'")}`,
    `img-src ${sources("data:", images)}`,
    `font-src ${sources("data:")}`,
    `media-src ${sources("data:")}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join("; ")
}
