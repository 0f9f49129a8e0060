import type { Language } from "../../mail/render/index.ts"
import css from "./page.css" with { type: "text" }

/** The content of a page; texts are HTML. */
export interface Page {
  readonly status: 200 | 400 | 404
  readonly language: Language
  /** The sender of the mail; null when unknown. */
  readonly sender: string | null
  /** Plain text. */
  readonly title: string
  readonly content: string
}

/** Nothing is loaded, no scripts run, forms submit only to this origin, and the style is allowed by its hash. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${new Bun.CryptoHasher("sha256").update(css).digest("base64")}'`,
  "img-src data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ")

/**
 * The complete response. It is never cached, and its URL is not sent as a referrer, because it is a secret of the
 * recipient.
 */
export const pageResponse = (page: Page): Response =>
  new Response(documentOf(page), {
    status: page.status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Language": page.language,
      "Content-Security-Policy": policy,
      "Cache-Control": "no-store",
      "Referrer-Policy": "no-referrer",
      "X-Robots-Tag": "noindex",
    },
  })

function documentOf({ language, sender, title, content }: Page): string {
  const name = sender?.trim() ?? ""
  const head = name === "" ? title : `${title} · ${name}`
  return `<!doctype html>
<html lang="${language}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${Bun.escapeHTML(head)}</title>
<link rel="icon" href="data:,">
<style>${css}</style>
</head>
<body>
<main>
${name === "" ? "" : senderLine(name)}<h1>${Bun.escapeHTML(title)}</h1>
${content}
</main>
</body>
</html>
`
}

let graphemes: Intl.Segmenter | undefined

function senderLine(name: string): string {
  // Made with the first page: it takes 10 ms.
  graphemes ??= new Intl.Segmenter()
  const [first] = graphemes.segment(name)
  const initial = Bun.escapeHTML(first?.segment.toUpperCase() ?? "")
  return `<p class="sender"><span class="mark" aria-hidden="true">${initial}</span><bdi>${Bun.escapeHTML(name)}</bdi></p>\n`
}
