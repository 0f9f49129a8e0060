import { createHash } from "node:crypto"
import { malformed } from "../../kernel/errors.ts"
import { isObject } from "../../kernel/json.ts"
import { emailTag } from "../../mail/transport.ts"
import type { Report } from "../emails/index.ts"
import { jsonIn } from "./json.ts"
import { postmarkMail } from "./postmark-mail.ts"
import type { ProvidedMail } from "./provided.ts"
import { type ProviderReport, textAt } from "./provider-report.ts"

/** Bounces after which Postmark does not try an address again (contract B9.2.3). */
const permanent = ["HardBounce", "BadEmailAddress", "ManuallyDeactivated", "Unknown"]

/**
 * Reads what Postmark sends to a webhook (contract B9.1.2), https://postmarkapp.com/developer/webhooks/webhooks-overview.
 * Also mail that it received (contract B9.2.6).
 */
export function postmarkReport(body: Uint8Array): ProviderReport | ProvidedMail {
  const record = jsonIn(body)
  const providerId = textAt(record, "MessageID")
  if (providerId === null) throw malformed("MessageID is missing.")
  const type = textAt(record, "RecordType")
  // An inbound message has no type, unlike everything else that Postmark tells.
  if (type === "Inbound" || (type === null && textAt(record, "FromFull", "Email") !== null))
    return postmarkMail(record, `postmark:${providerId}`)
  // Postmark numbers only its bounces; a repeated report has the same bytes.
  const key = `postmark:${createHash("sha256").update(body).digest("base64url")}`
  const mail = { providerId, emailId: textAt(record, "Metadata", emailTag), messageId: null }
  return { key, mail, report: reportOf(type, record) }
}

function reportOf(type: string | null, record: unknown): Report | undefined {
  switch (type) {
    case "Delivery":
      return { kind: "delivery" }
    case "Bounce": {
      const isPermanent = permanent.includes(textAt(record, "Type") ?? "")
      return { kind: "bounce", bounceType: isPermanent ? "Permanent" : "Transient" }
    }
    case "SpamComplaint":
      return { kind: "complaint" }
    case "Open":
      return { kind: "open" }
    case "Click":
      return { kind: "click", link: textAt(record, "OriginalLink") ?? "" }
    case "SubscriptionChange":
      return hasLeft(record) ? { kind: "unsubscribe" } : undefined
    default:
      return undefined
  }
}

/** Bounces and complaints change the subscription too, and are reported by themselves. */
const hasLeft = (record: unknown): boolean =>
  isObject(record) &&
  record.SuppressSending === true &&
  record.SuppressionReason === "ManualSuppression" &&
  record.Origin === "Recipient"
