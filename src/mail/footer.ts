import { type HtmlReading, linksTo } from "./html-text.ts"
import { textsIn, withNames } from "./locales/index.ts"
import type { Language } from "./render/languages.ts"
import { hasRightToLeft } from "./right-to-left.ts"

interface FooterContent {
  readonly language: Language
  /** The sender's name as shown to the recipient. */
  readonly sender: string
  readonly unsubscribeUrl: string
  /** Whether the body contains this link itself. */
  readonly hasLink?: boolean
  /** The same of the text part; as the body when not given. */
  readonly textHasLink?: boolean | undefined
  /** Required by law in some countries. */
  readonly postalAddress?: string | null
}

/** The footer of marketing mail (contract A7.2.3): why it was sent, how to unsubscribe, and the sender's postal address. */
export interface Footer {
  readonly html: string
  readonly text: string
}

// All styles are inline, because the styles of the document are unknown; the grey is readable on white and on black.
const frame =
  "margin:32px auto 16px;max-width:600px;padding:16px;font:13px/1.5 Arial,Helvetica,sans-serif;color:#757575"
const link = "color:#757575;text-decoration:underline"

export function footerOf(content: FooterContent): Footer {
  const { language, sender, unsubscribeUrl, hasLink, textHasLink = hasLink, postalAddress } = content
  const { footer, unsubscribe } = textsIn[language]
  const names = { sender: sender.trim() }
  const reason = withNames(footer, names, (name) => name)
  const href = Bun.escapeHTML(unsubscribeUrl)
  const way = hasLink ? [] : [`<a href="${href}" style="${link}">${Bun.escapeHTML(unsubscribe)}</a>`]
  const post = postalAddress ? [postalAddress] : []
  const lines = [
    withNames(Bun.escapeHTML(footer), names, nameHtml),
    ...way,
    ...post.map((line) => Bun.escapeHTML(line)),
  ]
  return {
    html: `<div lang="${language}" dir="ltr" style="${frame};text-align:center">${lines.join("<br>")}</div>\n`,
    text: [reason, ...(textHasLink ? [] : [`${unsubscribe} (${unsubscribeUrl})`]), ...post].join("\n"),
  }
}

/** A right-to-left name is isolated: its punctuation, and that behind it, would be displayed at the wrong end. */
const nameHtml = (name: string): string =>
  hasRightToLeft(name) ? `<span dir="auto">${Bun.escapeHTML(name)}</span>` : Bun.escapeHTML(name)

/**
 * Whether a mail has the link to its unsubscribe page itself, in its HTML and in its text part. `text` is undefined where
 * that is made from the HTML: the text of long HTML may end before the link.
 */
export function ownLinks(
  unsubscribeUrl: string,
  reading: Pick<HtmlReading, "links" | "text">,
  text: string | undefined,
): Required<Pick<FooterContent, "hasLink" | "textHasLink">> {
  const hasLink = linksTo(reading, unsubscribeUrl)
  return { hasLink, textHasLink: text?.includes(unsubscribeUrl) ?? (hasLink && reading.text.includes(unsubscribeUrl)) }
}

/** The text of a mail followed by that of its footer, if it has one. */
export const textWith = (text: string, footer: Footer | undefined): string =>
  [text, footer?.text].filter((part) => part).join("\n\n")
