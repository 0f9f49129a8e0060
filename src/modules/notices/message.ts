import { type Language, pickLocale } from "../../mail/render/index.ts"
import type { AccountToken } from "../accounts/index.ts"
import { type NoticeTexts, noticeTexts } from "./texts.ts"

/** A message of the service itself as templates, one for each language. */
interface NoticeMessage {
  readonly subject: string
  readonly body: string
}

type LinkPurpose = Extract<AccountToken["purpose"], "verify" | "reset" | "email">

/** Our texts have `{name}` where a template has `{{name}}`. */
const template = (text: string): string => text.replace(/\{(\w+)\}/g, "{{$1}}")

const font = "font:16px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const button =
  "display:inline-block;padding:12px 24px;border-radius:6px;background:#1c5d99;color:#ffffff;text-decoration:none;font-weight:600"
const small = "margin:16px 0 0;font-size:13px;color:#5c6470"

function page(language: Language, heading: string, parts: readonly string[]): string {
  return `<!DOCTYPE html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"></head>
<body style="margin:0;padding:32px 16px;background:#f3f5f7;color:#1d232b;${font}">
<table role="presentation" align="center" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;margin:0 auto">
<tr><td style="padding:32px;border-radius:12px;background:#ffffff">
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${heading}</h1>
${parts.join("\n")}
</td></tr>
</table>
</body>
</html>
`
}

const paragraph = (text: string, style = "margin:0 0 24px"): string => `<p style="${style}">${text}</p>`
const escaped = (text: string): string => template(Bun.escapeHTML(text))

const lifeOf = (purpose: LinkPurpose, texts: NoticeTexts): string =>
  purpose === "reset" ? texts.within1Hour : texts.within24Hours

/** The mail with a link to an account: `{{address}}` and `{{link}}` are its variables. */
export function linkMessage(purpose: LinkPurpose, of: string): NoticeMessage {
  const language = pickLocale(of)
  const texts = noticeTexts[language]
  const [subject, text, action] = texts[purpose]
  const body = page(language, escaped(subject), [
    paragraph(escaped(text)),
    `<p style="margin:0 0 24px"><a href="{{link}}" style="${button}">${Bun.escapeHTML(action)}</a></p>`,
    paragraph(Bun.escapeHTML(`${lifeOf(purpose, texts)} ${texts.notAsked}`), small),
  ])
  return { subject: template(subject), body }
}

/** The notice that a project was disabled: `{{project}}` is its variable. */
export function disabledMessage(of: string): NoticeMessage {
  const language = pickLocale(of)
  const [subject, text] = noticeTexts[language].disabled
  return { subject: template(subject), body: page(language, escaped(subject), [paragraph(escaped(text), "margin:0")]) }
}
