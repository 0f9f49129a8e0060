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
  const custom = firstOfEach(
    Object.entries(draft.headers)
      .map(([name, value]): Header => [name, value.trim()])
      .filter(([name]) => !reserved.test(name.toLowerCase())),
  )
  const taken = new Set(custom.map(([name]) => name.toLowerCase()))
  if (taken.has("list-unsubscribe") || taken.has("list-unsubscribe-post")) {
    taken.add("list-unsubscribe").add("list-unsubscribe-post")
  }
  const ours = ourHeaders(draft).filter(([name]) => !taken.has(name.toLowerCase()))
  const isReplyTo = ([name]: Header) => name.toLowerCase() === "reply-to"
  return {
    replyTo: draft.replyTo ?? (custom.find(isReplyTo)?.[1] || null),
    headers: [...ours, ...custom.filter((header) => header[1] !== "" && !isReplyTo(header))],
  }
}

/** Most fields may stand in a message only once (RFC 5322, 3.6). */
function firstOfEach(headers: readonly Header[]): Header[] {
  const found = new Map<string, Header>()
  for (const header of headers) {
    const name = header[0].toLowerCase()
    if (!found.has(name)) found.set(name, header)
  }
  return [...found.values()]
}

/** Characters that the phrase of a List-Id cannot contain without quotes (RFC 5322, 3.2.3). */
const specials = /[()<>[\]:;@\\,."]/g

function ourHeaders({ date, listUnsubscribeUrl, bulk, list, projectId, from, stream }: Draft): Header[] {
  const headers: Header[] = [["Date", headerDate(date)]]
  if (listUnsubscribeUrl !== null) {
    headers.push(["List-Unsubscribe", `<${listUnsubscribeUrl}>`])
    headers.push(["List-Unsubscribe-Post", "List-Unsubscribe=One-Click"])
  }
  if (bulk) {
    headers.push(["Precedence", "bulk"])
    headers.push(["Auto-Submitted", "auto-generated"])
    headers.push(["X-Auto-Response-Suppress", "All"])
  }
  if (list !== null) {
    const name = list.name.replace(specials, " ").replace(/ +/g, " ").trim()
    headers.push(["List-Id", `${name} <${projectId}.${domainOf(from.address)}>`.trim()])
    headers.push(["Feedback-ID", `${list.campaignId ?? "none"}:${projectId}:${stream}:mailstead`])
  }
  return headers
}
