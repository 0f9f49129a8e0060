import { and, eq, exists, gt, isNotNull, min, or, sql } from "drizzle-orm"
import type { Db } from "../../store/database.ts"
import { idValue } from "../../store/dialect.ts"
import { campaignTable, campaignTallyTable } from "../campaigns/index.ts"
import { emailTable } from "../emails/index.ts"

/** A campaign as a row of the inbox, at the position of its first mail. */
export interface CampaignRow {
  readonly id: string
  readonly name: string
  /** The number of its mails. */
  readonly mails: number
  /** The id of its first existing mail. */
  readonly first: string
}

/** The campaigns of a project that have mail: an index gives the first mail of each. */
export async function listCampaignRows(db: Db, projectId: string): Promise<CampaignRow[]> {
  const first = db
    .select({ id: min(emailTable.id) })
    .from(emailTable)
    .where(eq(emailTable.campaignId, campaignTable.id))
  const { id, name, sentAt } = campaignTable
  const rows = await db
    .select({
      id,
      name,
      mails: campaignTallyTable.created,
      first: sql<string | null>`(${first})`.mapWith(emailTable.id),
    })
    .from(campaignTable)
    .leftJoin(campaignTallyTable, eq(campaignTallyTable.campaignId, id))
    .where(and(eq(campaignTable.projectId, projectId), isNotNull(sentAt)))
  return rows.flatMap((row) => (row.first === null ? [] : [{ ...row, first: row.first, mails: row.mails ?? 0 }]))
}

/**
 * The campaigns whose row is at or before a record and that have, or may still get, mails after it, so that their
 * position in the list says nothing about those mails.
 */
export async function listReachingBeyond(db: Db, projectId: string, upTo: string): Promise<string[]> {
  const { id, status, sentAt } = campaignTable
  const isOfCampaign = eq(emailTable.campaignId, id)
  const first = db
    .select({ id: min(emailTable.id) })
    .from(emailTable)
    .where(isOfCampaign)
  const later = db
    .select({ one: sql`1`.as("one") })
    .from(emailTable)
    .where(and(isOfCampaign, gt(emailTable.id, upTo)))
  const rows = await db
    .select({ id })
    .from(campaignTable)
    .where(
      and(
        eq(campaignTable.projectId, projectId),
        isNotNull(sentAt),
        or(eq(status, "SENDING"), exists(later)),
        sql`(${first}) <= ${idValue(upTo)}`,
      ),
    )
  return rows.map((row) => row.id)
}
