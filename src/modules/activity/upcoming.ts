import { and, asc, eq, lte } from "drizzle-orm"
import type { Db } from "../../store/database.ts"
import { campaignTable } from "../campaigns/index.ts"
import type { Activity } from "./feed.ts"
import { campaignMetadata, campaignsIn } from "./records.ts"

/** What a project has planned up to a time in ms, soonest first. */
export type ListUpcoming = (db: Db, projectId: string, until: number, limit: number) => Promise<Activity[]>

const scheduledCampaigns: ListUpcoming = async (db, projectId, until, limit) => {
  const { scheduledFor } = campaignTable
  const rows = await campaignsIn(db)
    .where(and(eq(campaignTable.projectId, projectId), eq(campaignTable.status, "SCHEDULED"), lte(scheduledFor, until)))
    .orderBy(asc(scheduledFor), asc(campaignTable.id))
    .limit(limit)
  return rows.map((row) => ({
    id: `campaign_${row.id}_scheduled`,
    type: "campaign.scheduled",
    at: row.scheduledFor ?? 0,
    contactId: null,
    contactEmail: null,
    metadata: campaignMetadata(row),
  }))
}

/** Everything that is planned comes from one of these. */
const planned: readonly ListUpcoming[] = [scheduledCampaigns]

export const listUpcoming: ListUpcoming = async (db, projectId, until, limit) => {
  const lists: Activity[][] = []
  for (const list of planned) lists.push(await list(db, projectId, until, limit))
  return lists
    .flat()
    .sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1))
    .slice(0, limit)
}
