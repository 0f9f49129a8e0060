import { and, asc, eq, isNull, lte, sql } from "drizzle-orm"
import type { Db } from "../../store/database.ts"
import { prepare } from "../../store/prepare.ts"
import type { Unit } from "../../store/writer.ts"
import { projectTable } from "../projects/index.ts"
import {
  type Campaign,
  type CampaignTally,
  type CampaignWalk,
  campaignTable,
  campaignTallyTable,
  campaignWalkTable,
} from "./table.ts"

/** Where a campaign is, by ids alone: its row has a long body. */
export type Place = Pick<Campaign, "id" | "projectId">
const place = { id: campaignTable.id, projectId: campaignTable.projectId }

const statusOf = prepare((db) =>
  db
    .select({ status: campaignTable.status })
    .from(campaignTable)
    .where(eq(campaignTable.id, sql.placeholder("id"))),
)

/** Whether a campaign was cancelled, so that no mail of it may leave any more. */
export async function isCampaignCancelled(db: Db, id: string): Promise<boolean> {
  const [row] = await statusOf(db, { id })
  return row?.status === "CANCELLED"
}

export async function findTally(db: Db, campaignId: string): Promise<CampaignTally | undefined> {
  const [row] = await db.select().from(campaignTallyTable).where(eq(campaignTallyTable.campaignId, campaignId))
  return row
}

export async function findWalk(db: Db, campaignId: string): Promise<CampaignWalk | undefined> {
  const [row] = await db.select().from(campaignWalkTable).where(eq(campaignWalkTable.campaignId, campaignId))
  return row
}

export async function insertWalk(unit: Unit, walk: CampaignWalk): Promise<void> {
  await unit.db.insert(campaignWalkTable).values(walk)
}

const advance = prepare((db) =>
  db
    .update(campaignWalkTable)
    .set({ position: sql`${sql.placeholder("to")}` })
    .where(
      and(
        eq(campaignWalkTable.campaignId, sql.placeholder("campaignId")),
        eq(campaignWalkTable.position, sql.placeholder("from")),
      ),
    )
    .returning({ position: campaignWalkTable.position }),
)

/** Moves a walk on; false when it is not where it was thought to be, or over: then nothing of the unit may be kept. */
export async function advanceWalk(unit: Unit, campaignId: string, from: number, to: number): Promise<boolean> {
  return (await advance(unit.db, { campaignId, from, to })).length > 0
}

export async function deleteWalk(unit: Unit, campaignId: string): Promise<void> {
  await unit.db.delete(campaignWalkTable).where(eq(campaignWalkTable.campaignId, campaignId))
}

const isSending = eq(campaignTable.status, "SENDING")

/** Campaigns that are sending and have not come to the end of their audience. */
export const listWalking = (db: Db): Promise<Place[]> =>
  db
    .select(place)
    .from(campaignTable)
    .innerJoin(campaignWalkTable, eq(campaignWalkTable.campaignId, campaignTable.id))
    .where(isSending)
    .orderBy(asc(campaignTable.id))

/** Campaigns that are sending and have made all their mails. */
export const listWalked = (db: Db): Promise<Place[]> =>
  db
    .select(place)
    .from(campaignTable)
    .leftJoin(campaignWalkTable, eq(campaignWalkTable.campaignId, campaignTable.id))
    .where(and(isSending, isNull(campaignWalkTable.campaignId)))
    .orderBy(asc(campaignTable.id))

/** Campaigns whose time has come. */
export const listOverdue = (db: Db, now: number): Promise<Place[]> =>
  db
    .select(place)
    .from(campaignTable)
    .where(and(eq(campaignTable.status, "SCHEDULED"), lte(campaignTable.scheduledFor, now)))
    .orderBy(asc(campaignTable.scheduledFor))

/** Active campaigns of projects that are disabled. */
export const listOfDisabled = (db: Db): Promise<Place[]> =>
  db
    .select(place)
    .from(campaignTable)
    .innerJoin(projectTable, eq(projectTable.id, campaignTable.projectId))
    .where(and(sql`${campaignTable.status} IN ('SCHEDULED', 'SENDING')`, eq(projectTable.disabled, true)))
