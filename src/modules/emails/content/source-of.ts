import type { Draft } from "../../../mail/compose.ts"
import type { MessageSource, OwnSource, SharedSource } from "../../../mail/message-source.ts"
import type { Project } from "../../projects/index.ts"
import { isHeadlessCampaign, isTestEmail, lanes } from "../rules.ts"
import type { Content, Email } from "../table.ts"

/** Whether mail of a type is tracked under a project's setting (contract A7.3.1). */
const isTracked = (mode: Project["tracking"], type: Email["type"]): boolean =>
  mode === "ENABLED" || (mode === "MARKETING_ONLY" && type !== "TRANSACTIONAL")

/** The fields of a row that `sharedSourceOf` reads: messages for which they are the same share their source. */
export const sharedKeyOf = ({ projectId, contentHash, campaignId, type, sourceType, lane, contactId }: Email): string =>
  [projectId, contentHash, campaignId, type, sourceType, lane, contactId === null].join(" ")

/**
 * The part of a message's source that several messages may share. `project` is undefined for mail of the service
 * itself, and for a deleted project. Test emails are never tracked (contract B1.7).
 */
export function sharedSourceOf(email: Email, content: Content, project: Project | undefined): SharedSource {
  const { projectId, type, lane, campaignId } = email
  const { body, text, literal, headers } = content
  const isMarketing = type === "MARKETING"
  return {
    ...streamOf({ projectId, lane }),
    // The list of bulk mail is its project (contract A7.1.1).
    list: lane === lanes.bulk && project !== undefined ? { name: project.name, campaignId } : null,
    headers,
    body,
    text,
    literal,
    footer: isMarketing ? { postalAddress: project?.postalAddress ?? null } : null,
    offersUnsubscribe: isMarketing || isHeadlessCampaign(email),
    isTracked: project !== undefined && !isTestEmail(email) && isTracked(project.tracking, type),
  }
}

export function ownSourceOf(email: Email, { headers }: Pick<Content, "headers">, envelopeFrom: string): OwnSource {
  const { contactId, variables, locale } = email
  return { ...headOf(email, headers), envelopeFrom, contactId, variables: variables ?? {}, locale }
}

export const sourceOf = (email: Email, content: Content, project: Project | undefined): MessageSource => ({
  shared: sharedSourceOf(email, content, project),
  own: ownSourceOf(email, content, email.from),
})

type Rendered = Pick<Draft, "html" | "text" | "headers" | "attachments" | "listUnsubscribeUrl">

/** A row of the ledger with its rendered content. */
export const draftOf = (email: Email, rendered: Rendered): Draft => ({
  ...streamOf(email),
  ...headOf(email, rendered.headers),
  envelopeFrom: email.from,
  list: null,
  ...rendered,
})

const streamOf = ({
  projectId,
  lane,
}: Pick<Email, "projectId" | "lane">): Pick<Draft, "projectId" | "stream" | "bulk" | "automatic"> => ({
  projectId,
  stream: lane === lanes.bulk ? "bulk" : "transactional",
  bulk: lane === lanes.bulk,
  automatic: lane === lanes.workflow,
})

/** The sender's own Reply-To header wins over the row. */
const headOf = (
  { id, from, fromName, to, toName, replyTo, subject, createdAt, messageId }: Email,
  headers: Draft["headers"],
) => ({
  id,
  from: { name: fromName ?? "", address: from },
  to: { name: toName ?? "", address: to },
  replyTo: hasReplyTo(headers) ? null : replyTo,
  subject,
  date: createdAt,
  messageId,
})

const hasReplyTo = (headers: Draft["headers"]): boolean =>
  Object.keys(headers).some((name) => name.toLowerCase() === "reply-to")
