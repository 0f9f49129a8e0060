import { and, type Column, isNull, lt, or, type SQL, sql } from "drizzle-orm"
import { canonicalPart } from "../../kernel/email-address.ts"
import { containsText, idValue, unindexed } from "../../store/dialect.ts"
import { type Email, emailTable, lanes } from "../emails/index.ts"
import type { Term } from "./query.ts"
import { inboxMarkTable, inboxTextTable } from "./table.ts"

export const sources = ["INBOUND", "SMTP", "API", "CAMPAIGN", "WORKFLOW"] as const
type Source = (typeof sources)[number]

type Origin = Pick<Email, "sourceType" | "type" | "lane" | "contentHash">

/**
 * The source of a message: `INBOUND` came from other servers, `SMTP` from a program to the sandbox. Neither has stored
 * content. Mail of a deleted campaign or workflow keeps its source type, and where that is TRANSACTIONAL (contract
 * A4.5.3), its lane.
 */
export function sourceOf({ sourceType, type, lane, contentHash }: Origin): Source {
  if (sourceType === "INBOUND") return "INBOUND"
  if (contentHash === null) return "SMTP"
  if (sourceType !== "TRANSACTIONAL") return sourceType
  if (type !== "TRANSACTIONAL" || lane === lanes.transactional) return "API"
  return lane === lanes.bulk ? "CAMPAIGN" : "WORKFLOW"
}

const isOfSource = (source: Source): SQL => {
  const { sourceType, type, lane, contentHash } = emailTable
  const made = sql`${contentHash} IS NOT NULL`
  const isTransactional = sql`${sourceType} = 'TRANSACTIONAL' AND ${type} = 'TRANSACTIONAL'`
  switch (source) {
    case "INBOUND":
      return sql`${sourceType} = 'INBOUND'`
    case "SMTP":
      return sql`${contentHash} IS NULL AND ${sourceType} <> 'INBOUND'`
    case "CAMPAIGN":
      return sql`(${made} AND (${sourceType} = 'CAMPAIGN' OR (${isTransactional} AND ${lane} = ${lanes.bulk})))`
    case "WORKFLOW":
      return sql`(${made} AND (${sourceType} = 'WORKFLOW' OR (${isTransactional} AND ${lane} = ${lanes.workflow})))`
    case "API":
      return sql`(${made} AND ${sourceType} = 'TRANSACTIONAL' AND NOT (${isTransactional} AND ${lane} <> ${lanes.transactional}))`
  }
}

/** The filters of the list; `readUpTo` is that of the project. */
export interface InboxFilter {
  readonly projectId: string
  readonly readUpTo: string
  readonly source: Source | undefined
  readonly terms: readonly Term[]
}

/** Whether each campaign is one row; its mails are listed individually when the search concerns single mails. */
export const isGrouped = ({ terms }: InboxFilter): boolean => terms.every(({ kind }) => kind === "read")

/** The messages with a row of their own when campaigns are grouped. */
export const isSingle = and(isNull(emailTable.leadId), isNull(emailTable.campaignId))

/** All conditions in addition to the project. */
export function conditionOf(filter: InboxFilter): SQL | undefined {
  const { source, terms } = filter
  return and(
    isGrouped(filter) ? isSingle : isNull(emailTable.leadId),
    source === undefined ? undefined : isOfSource(source),
    ...terms.map((term) => holds(filter, term)),
  )
}

function holds(filter: InboxFilter, term: Term): SQL | undefined {
  const { to, toName, from, fromName, subject, createdAt, status } = emailTable
  switch (term.kind) {
    case "from":
      return or(hasAddress(from, term.text), containsText(fromName, term.text))
    case "to":
      return ofAnyRecord((table) => or(hasAddress(table.to, term.text), containsText(table.toName, term.text)))
    case "subject":
      return containsText(subject, term.text)
    case "words":
      return or(
        ...[subject, fromName, toName].map((column) => containsText(column, term.text)),
        hasAddress(from, term.text),
        hasAddress(to, term.text),
        containsText(emailTable.variables, term.text),
        hasText(filter, containsText(inboxTextTable.text, term.text)),
        ofCopy((table) => hasAddress(table.to, term.text)),
      )
    case "attachment":
      return hasText(filter, sql`${inboxTextTable.attachments} > 0`)
    case "status":
      return ofAnyRecord((table) => sql`${unindexed(table.status)} = ${term.status}`)
    case "read":
      return term.read ? isRead(filter) : sql`NOT ${isRead(filter)}`
    case "before":
      return lt(createdAt, term.at)
    case "after":
      return sql`${createdAt} >= ${term.at}`
    default:
      return sql`${status} IS NOT NULL`
  }
}

/** Addresses of mail that came in may have any form, all others have the canonical one. */
const hasAddress = (column: Column, text: string): SQL | undefined =>
  or(...[...new Set([text, canonicalPart(text)])].map((form) => containsText(column, form)))

const copies = sql`"email" AS "copy"`
type CopyColumns = Record<"to" | "toName" | "status", Column>

/** Whether another record of the same message, to another recipient, fulfils a condition. */
const ofCopy = (condition: (table: CopyColumns) => SQL | undefined): SQL =>
  sql`(${emailTable.contentHash} IS NULL AND EXISTS (SELECT 1 FROM ${copies} WHERE "copy"."lead_id" = ${emailTable.id} AND ${condition(copyColumns)}))`

const copyColumns = {
  to: sql.raw('"copy"."to_address"'),
  toName: sql.raw('"copy"."to_name"'),
  status: sql.raw('"copy"."status"'),
} as unknown as CopyColumns

const ofAnyRecord = (condition: (table: CopyColumns) => SQL | undefined): SQL | undefined =>
  or(condition(emailTable), ofCopy(condition))

/** The text of a message is found by its content, or by its own id. Searched once for all rows, not for each. */
const hasText = ({ projectId }: InboxFilter, condition: SQL): SQL =>
  sql`coalesce(${emailTable.contentHash}, ${emailTable.id}) IN (SELECT ${inboxTextTable.source} FROM ${inboxTextTable} WHERE ${inboxTextTable.projectId} = ${idValue(projectId)} AND ${condition})`

/** A mail of a campaign is read if the campaign is. */
const isRead = ({ projectId, readUpTo }: InboxFilter): SQL => {
  const { id, campaignId } = emailTable
  const { projectId: project, rowId, read } = inboxMarkTable
  const mark = sql`(SELECT ${read} FROM ${inboxMarkTable} WHERE ${project} = ${idValue(projectId)} AND ${rowId} = coalesce(${campaignId}, ${id}))`
  return sql`coalesce(${mark}, ${id} <= ${idValue(readUpTo)})`
}
