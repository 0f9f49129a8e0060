import { headerDate } from "../../kernel/clock.ts"
import { domainOf } from "../../kernel/email-address.ts"
import type { Draft } from "./draft.ts"

type Header = readonly [name: string, value: string]

// Written by the composer or by relaying servers, never by a sender; those of SES, and the metadata of Postmark, decide
// where they report bounces, and for which mail, which may be another project's (contract A7.1.3).
const reserved =
  /^(?:from|sender|to|cc|bcc|subject|date|message-id|return-path|received|mime-version|content-.*|dkim-signature|arc-.*|x-ses-.*|x-pm-metadata-.*)$/

/**
 * The headers of a message other than From, To, Reply-To, Subject and Message-ID, with values not yet encoded, and the
 * address for replies. Custom headers win over ours, names compared case-insensitively, and of the same name the first
 * counts; one of the List-Unsubscribe pair replaces the pair (contract A7.1). `draft.replyTo` wins over a custom Reply-To
 * (contract A4.3.2), and a custom header with an empty value only removes ours.
 */
export function settleHeaders(draft: Draft): { headers: Header[]; replyTo: string | null } {
  const custom = customHeaders(draft)
  const taken = new Set(custom.keys())
  if (taken.has("list-unsubscribe") || taken.has("list-unsubscribe-post")) {
    taken.add("list-unsubscribe").add("list-unsubscribe-post")
  }
  const ours = ourHeaders(draft).filter(([name]) => !taken.has(name.toLowerCase()))
  const replyTo = draft.replyTo ?? (custom.get("reply-to")?.[1] || null)
  custom.delete("reply-to")
  return { replyTo, headers: [...ours, ...[...custom.values()].filter(([, value]) => value !== "")] }
}

/** By their names in lower case, the first of each: most fields may stand in a message only once (RFC 5322, 3.6). */
function customHeaders({ headers }: Draft): Map<string, Header> {
  const found = new Map<string, Header>()
  for (const [name, value] of Object.entries(headers)) {
    const key = name.toLowerCase()
    if (!reserved.test(key) && !found.has(key)) found.set(key, [name, value.trim()])
  }
  return found
}

/** Characters that the phrase of a List-Id cannot contain without quotes (RFC 5322, 3.2.3). */
const specials = /[()<>[\]:;@\\,."]/g

function ourHeaders({ date, listUnsubscribeUrl, bulk, automatic, list, projectId, from, stream }: Draft): Header[] {
  const headers: Header[] = [["Date", headerDate(date)]]
  if (listUnsubscribeUrl !== null) {
    headers.push(["List-Unsubscribe", `<${listUnsubscribeUrl}>`])
    headers.push(["List-Unsubscribe-Post", "List-Unsubscribe=One-Click"])
  }
  if (bulk) headers.push(["Precedence", "bulk"])
  if (bulk || automatic) headers.push(["Auto-Submitted", "auto-generated"])
  if (bulk) headers.push(["X-Auto-Response-Suppress", "All"])
  if (list !== null) {
    const name = list.name.replace(specials, " ").replace(/ +/g, " ").trim()
    headers.push(["List-Id", `${name} <${projectId}.${domainOf(from.address)}>`.trim()])
    headers.push(["Feedback-ID", `${list.campaignId ?? "none"}:${projectId}:${stream}:mailstead`])
  }
  return headers
}
