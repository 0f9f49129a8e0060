import type { EmailContent } from "./wire.ts"

/** What a mail may do when it is looked at: show itself. No scripts, no forms, and no remote content until asked for. */
export const mailPolicy = ({ remote }: { remote: boolean }): string => {
  const from = remote ? " https: http:" : ""
  return [
    "sandbox allow-popups allow-popups-to-escape-sandbox",
    "default-src 'none'",
    `style-src 'unsafe-inline'${from}`,
    `img-src data:${from}`,
    `font-src data:${from}`,
    `media-src data:${from}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join("; ")
}

/** Parts larger than this stay unresolved: a data address grows the page by a third of them. */
const maxInlineBytes = 10 * 1_048_576

/** The HTML of a mail with the parts that it shows by `cid:` put in its place (RFC 2392). Links open outside. */
export function mailDocument({ html, text, attachments }: EmailContent): string {
  const document = html ?? `<pre style="white-space:pre-wrap">${Bun.escapeHTML(text ?? "")}</pre>`
  const shown = document.replace(/(["'(=])cid:([^"')\s>]+)/gi, (whole, before: string, id: string) => {
    const part = attachments.find(({ contentId }) => contentId === decoded(id))
    if (part === undefined || part.content.byteLength > maxInlineBytes || !/^image\//i.test(part.contentType))
      return whole
    return `${before}data:${part.contentType.replace(/[^\w/+.-]/g, "")};base64,${Buffer.from(part.content).toString("base64")}`
  })
  return `<base target="_blank">${shown}`
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}
