import { and, eq, isNotNull, min, sql } from "drizzle-orm"
import type { Db } from "../../store/database.ts"
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
