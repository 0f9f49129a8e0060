import { textsIn } from "./locales/index.ts"
import type { Language } from "./render/languages.ts"

export interface FooterContent {
  readonly language: Language
  /** Whose mail it is, as shown to the recipient. */
  readonly sender: string
  readonly unsubscribeUrl: string
}

/** What stands under marketing mail (contract A7.2.3): why it came, and the way to have no more. */
export interface Footer {
  readonly html: string
  readonly text: string
}

// In words of its own, because nothing is known of the styles around it; grey that can be read on white and on black.
const frame =
  "margin:32px auto 16px;max-width:600px;padding:16px;font:13px/1.5 Arial,Helvetica,sans-serif;color:#757575"
const link = "color:#757575;text-decoration:underline"

export function footerOf({ language, sender, unsubscribeUrl }: FooterContent): Footer {
  const { footer, unsubscribe } = textsIn[language]
  const reason = footer.replace("{sender}", () => sender.trim())
  const href = Bun.escapeHTML(unsubscribeUrl)
  return {
    html:
      `<div lang="${language}" dir="ltr" style="${frame};text-align:center">${Bun.escapeHTML(reason)}<br>` +
      `<a href="${href}" style="${link}">${Bun.escapeHTML(unsubscribe)}</a></div>\n`,
    text: `${reason}\n${unsubscribe} (${unsubscribeUrl})`,
  }
}

/** The text of a mail and below it that of its footer, if it has one. */
export const textWith = (text: string, footer: Footer | undefined): string =>
  [text, footer?.text].filter((part) => part).join("\n\n")
