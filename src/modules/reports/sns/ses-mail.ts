import { isObject } from "../../../kernel/json.ts"
import type { ProvidedMail } from "../provided.ts"
import { textAt } from "../provider-report.ts"

/**
 * Mail that SES has received, from its SNS action: the message as UTF-8 or base64, or only its headers where another
 * action stores it. https://docs.aws.amazon.com/ses/latest/dg/receiving-email-notifications-contents.html
 */
export function sesMail(message: unknown): ProvidedMail {
  const verdictOf = (name: string) => textAt(message, "receipt", `${name}Verdict`, "status")
  return {
    key: `ses:${textAt(message, "mail", "messageId")}`,
    raw: () => contentOf(message),
    mailFrom: textAt(message, "mail", "source") ?? "",
    recipients: textsAt(message, "receipt", "recipients") ?? textsAt(message, "mail", "destination") ?? [],
    verdicts: {
      spam: verdictOf("spam"),
      virus: verdictOf("virus"),
      spf: verdictOf("spf"),
      dkim: verdictOf("dkim"),
      dmarc: verdictOf("dmarc"),
      arc: null,
    },
  }
}

function textsAt(message: unknown, group: string, name: string): string[] | undefined {
  const found = isObject(message) && isObject(message[group]) ? message[group][name] : undefined
  return Array.isArray(found) ? found.filter((one) => typeof one === "string") : undefined
}

/** The action names its encoding; older ones do not, and a message is not base64 because it has a colon. */
function contentOf(message: unknown): Uint8Array {
  const content = textAt(message, "content")
  if (content === null) return Buffer.from(`${headersOf(message).join("")}\r\n`)
  const isBase64 = textAt(message, "receipt", "action", "encoding") === "BASE64" || /^[A-Za-z0-9+/=\s]+$/.test(content)
  return Buffer.from(content, isBase64 ? "base64" : "utf8")
}

function headersOf(message: unknown): string[] {
  const headers = isObject(message) && isObject(message.mail) ? message.mail.headers : undefined
  if (!Array.isArray(headers)) return []
  return headers.flatMap((header) => {
    const [name, value] = [textAt(header, "name"), textAt(header, "value") ?? ""]
    return name !== null && /^[!-9;-~]+$/.test(name) ? [`${name}: ${value.replace(/[\r\n]+/g, " ")}\r\n`] : []
  })
}
