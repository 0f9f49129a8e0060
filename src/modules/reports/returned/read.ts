import { readHeaderFields } from "../../../inbound/header-fields.ts"
import { textFromHtml } from "../../../mail/html-text.ts"
import { type Result, resultsIn } from "./delivery-status.ts"
import { fieldOf, type Part, partsOf } from "./parts.ts"
import { plainReport, wordsIn } from "./plain.ts"
import { bounceOf } from "./status-code.ts"

/**
 * Reads what came back to a return path (contract B9.6.4): a delivery status (RFC 3464, RFC 6533), a feedback report (RFC
 * 5965), or a failure in prose. Empty for anything else, such as the answer of somebody who is away, or the receipt of
 * somebody who has read the message (RFC 8098).
 */
export function returnedResults(raw: Uint8Array): Result[] {
  const parts = partsOf(raw)
  const ofType = (...types: readonly string[]) => parts.filter(({ type }) => types.includes(type))
  const feedback = ofType("message/feedback-report")
  if (feedback.length > 0) return feedback.flatMap(complaintIn)
  const statuses = ofType("message/delivery-status", "message/global-delivery-status")
  const text = textOf(parts)
  const results = statuses.flatMap(({ body }) => resultsIn(body, statuses.length === 1 ? wordsIn(text) : ""))
  if (results.length > 0) return results
  const receipts = ofType("message/disposition-notification")
  if (receipts.length > 0) return receipts.flatMap(refusalIn)
  const report = plainReport(readHeaderFields(raw), text, statuses.length > 0)
  return report === undefined ? [] : [{ recipient: null, report }]
}

/** Types of feedback that are complaints; `not-spam`, `auth-failure` and others are none. */
const complaints = ["abuse", "fraud"]

function complaintIn({ body }: Part): Result[] {
  const fields = readHeaderFields(Buffer.from(body, "latin1"))
  const isComplaint = complaints.includes(fieldOf(fields, "feedback-type").toLowerCase())
  return isComplaint ? [{ recipient: null, report: { kind: "complaint" } }] : []
}

/** A refusal by the recipient's own filter is reported as a deletion (RFC 5429, 2.1.2). */
function refusalIn({ body }: Part): Result[] {
  const fields = readHeaderFields(Buffer.from(body, "latin1"))
  const isRefused = /^automatic-action\b.{0,99};\s{0,9}deleted\b/i.test(fieldOf(fields, "disposition"))
  return isRefused ? [{ recipient: null, report: bounceOf(undefined) }] : []
}

const longestHtml = 65_536

/** Some gateways write their reports in HTML alone, or beside a blank text. */
function textOf(parts: readonly Part[]): string {
  const bodyOf = (wanted: string) => parts.find(({ type, body }) => type === wanted && body.trim() !== "")?.body
  return bodyOf("text/plain") ?? textFromHtml((bodyOf("text/html") ?? "").slice(0, longestHtml))
}
