import { and, asc, eq, isNull, lte, sql } from "drizzle-orm"
import { conflict } from "../../kernel/errors.ts"
import type { Db } from "../../store/database.ts"
import { idParam } from "../../store/dialect.ts"
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

/** The ids of a campaign, for lists that do not need its row, which has a long body. */
export type CampaignRef = Pick<Campaign, "id" | "projectId">
const ref = { id: campaignTable.id, projectId: campaignTable.projectId }

const statusOf = prepare((db) =>
  db
    .select({ status: campaignTable.status })
    .from(campaignTable)
    .where(eq(campaignTable.id, idParam("id"))),
)

/** Whether a campaign is cancelled, so that no more of its mails may leave. */
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
        eq(campaignWalkTable.campaignId, idParam("campaignId")),
        eq(campaignWalkTable.position, sql.placeholder("from")),
      ),
    )
    .returning({ position: campaignWalkTable.position }),
)

/** Moves a walk. Throws when it has ended or is not at `from`, so that the unit keeps none of the mails it made. */
export async function advanceWalk(unit: Unit, campaignId: string, from: number, to: number): Promise<void> {
  const moved = await advance(unit.db, { campaignId, from, to })
  if (moved.length === 0) throw conflict("The walk over the audience was continued elsewhere, or has ended.")
}

/** Ends a walk; false when it had ended. */
export async function deleteWalk(unit: Unit, campaignId: string): Promise<boolean> {
  const deleted = await unit.db
    .delete(campaignWalkTable)
    .where(eq(campaignWalkTable.campaignId, campaignId))
    .returning({ campaignId: campaignWalkTable.campaignId })
  return deleted.length > 0
}

const isSending = eq(campaignTable.status, "SENDING")

const walking = prepare((db) =>
  db
    .select(ref)
    .from(campaignTable)
    .innerJoin(campaignWalkTable, eq(campaignWalkTable.campaignId, campaignTable.id))
    .where(isSending)
    .orderBy(asc(campaignTable.id)),
)

/** SENDING campaigns whose audience is not walked to its end. */
export const listWalking = (db: Db): Promise<CampaignRef[]> => walking(db, {})

const walked = prepare((db) =>
  db
    .select(ref)
    .from(campaignTable)
    .leftJoin(campaignWalkTable, eq(campaignWalkTable.campaignId, campaignTable.id))
    .where(and(isSending, isNull(campaignWalkTable.campaignId)))
    .orderBy(asc(campaignTable.id)),
)

/** SENDING campaigns that have made all their mails. */
export const listWalked = (db: Db): Promise<CampaignRef[]> => walked(db, {})

const overdue = prepare((db) =>
  db
    .select(ref)
    .from(campaignTable)
    .where(and(eq(campaignTable.status, "SCHEDULED"), lte(campaignTable.scheduledFor, sql.placeholder("now"))))
    .orderBy(asc(campaignTable.scheduledFor)),
)

/** SCHEDULED campaigns whose time has come. */
export const listOverdue = (db: Db, now: number): Promise<CampaignRef[]> => overdue(db, { now })

const ofDisabled = prepare((db) =>
  db
    .select(ref)
    .from(campaignTable)
    .innerJoin(projectTable, eq(projectTable.id, campaignTable.projectId))
    .where(and(sql`${campaignTable.status} IN ('SCHEDULED', 'SENDING')`, eq(projectTable.disabled, true))),
)

/** Active campaigns of projects that are disabled. */
export const listOfDisabled = (db: Db): Promise<CampaignRef[]> => ofDisabled(db, {})
