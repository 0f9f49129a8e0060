import { and, asc, count, desc, eq, getTableColumns, inArray, max, type SQL, sql } from "drizzle-orm"
import type { Paging } from "../../http/page.ts"
import { conflict } from "../../kernel/errors.ts"
import type { Db } from "../../store/database.ts"
import { containsText, domainOfAddress, isUnindexed } from "../../store/dialect.ts"
import type { Unit } from "../../store/writer.ts"
import { segmentTable } from "../segments/index.ts"
import { caseFold } from "../templates/index.ts"
import { active, searchTextOf, unsent } from "./rules.ts"
import { type Campaign, type CampaignStatus, type CampaignTally, campaignTable, campaignTallyTable } from "./table.ts"

export interface CampaignFilter {
  readonly status: CampaignStatus | undefined
  /** A text to be found in name, subject or sender, without regard to case. */
  readonly search: string | undefined
}

export const sortKeys = ["createdAt", "updatedAt", "name"] as const

export interface CampaignOrder {
  readonly sort: (typeof sortKeys)[number]
  readonly dir: "asc" | "desc"
}

/** A campaign with everything its record shows. */
export interface CampaignReport {
  readonly campaign: Campaign
  readonly tally: CampaignTally
  /** Null without a segment, also once it is deleted. */
  readonly segment: { readonly id: string; readonly name: string } | null
}

const { searchText: _, ...columns } = getTableColumns(campaignTable)
const { campaignId: __, ...counters } = getTableColumns(campaignTallyTable)

const isCampaign = (projectId: string, id: string): SQL | undefined =>
  and(eq(campaignTable.projectId, projectId), eq(campaignTable.id, id))

export async function findCampaign(db: Db, projectId: string, id: string): Promise<Campaign | undefined> {
  const [row] = await db.select(columns).from(campaignTable).where(isCampaign(projectId, id))
  return row
}

const reports = (db: Db) =>
  db
    .select({ campaign: columns, tally: counters, segment: { id: segmentTable.id, name: segmentTable.name } })
    .from(campaignTable)
    .innerJoin(campaignTallyTable, eq(campaignTallyTable.campaignId, campaignTable.id))
    .leftJoin(
      segmentTable,
      and(eq(segmentTable.id, campaignTable.segmentId), eq(segmentTable.projectId, campaignTable.projectId)),
    )

export async function findReport(db: Db, projectId: string, id: string): Promise<CampaignReport | undefined> {
  const [row] = await reports(db).where(isCampaign(projectId, id))
  return row
}

const matching = (projectId: string, { status, search }: CampaignFilter): SQL | undefined =>
  and(
    eq(campaignTable.projectId, projectId),
    status === undefined ? undefined : eq(campaignTable.status, status),
    search === undefined ? undefined : containsText(campaignTable.searchText, caseFold(search)),
  )

/** Names are sorted without regard to the case of ASCII letters. */
const sortKey = {
  createdAt: campaignTable.createdAt,
  updatedAt: campaignTable.updatedAt,
  name: sql`lower(${campaignTable.name})`,
}

export function listReports(
  db: Db,
  projectId: string,
  filter: CampaignFilter,
  { sort, dir }: CampaignOrder,
  { offset, pageSize }: Paging,
): Promise<CampaignReport[]> {
  const inOrder = dir === "asc" ? asc : desc
  // Sorted by id alone, so that long bodies are read only for the rows of the page.
  const page = db
    .select({ id: campaignTable.id })
    .from(campaignTable)
    .where(matching(projectId, filter))
    .orderBy(inOrder(sortKey[sort]), inOrder(campaignTable.id))
    .limit(pageSize)
    .offset(offset)
  return reports(db)
    .where(and(eq(campaignTable.projectId, projectId), inArray(campaignTable.id, page)))
    .orderBy(inOrder(sortKey[sort]), inOrder(campaignTable.id))
}

export async function countCampaigns(db: Db, projectId: string, filter: CampaignFilter): Promise<number> {
  const [row] = await db.select({ count: count() }).from(campaignTable).where(matching(projectId, filter))
  return row?.count ?? 0
}

export type UnsentCampaign = Pick<Campaign, "id" | "name" | "status" | "segmentId" | "audienceCondition">

/** The DRAFT, SCHEDULED and SENDING campaigns, with what they refer to. */
export function listUnsent(db: Db, projectId: string): Promise<UnsentCampaign[]> {
  const { id, name, status, segmentId, audienceCondition } = campaignTable
  return db
    .select({ id, name, status, segmentId, audienceCondition })
    .from(campaignTable)
    .where(and(eq(campaignTable.projectId, projectId), inArray(campaignTable.status, [...unsent])))
    .orderBy(asc(campaignTable.id))
}

/** The SCHEDULED and SENDING campaigns with a sender address at the domain. */
export const listSendingFrom = (db: Db, projectId: string, domain: string): Promise<Pick<Campaign, "id" | "name">[]> =>
  db
    .select({ id: campaignTable.id, name: campaignTable.name })
    .from(campaignTable)
    .where(
      and(
        // Reads the active campaigns of all projects, which are few, and not those of the project, which may have
        // thousands of inactive ones.
        isUnindexed(campaignTable.projectId, projectId),
        inArray(campaignTable.status, [...active]),
        eq(domainOfAddress(campaignTable.from), domain),
      ),
    )
    .orderBy(asc(campaignTable.id))

export async function insertCampaign(unit: Unit, campaign: Campaign): Promise<void> {
  await unit.db.insert(campaignTable).values({ ...campaign, searchText: searchTextOf(campaign) })
  await unit.db.insert(campaignTallyTable).values({ campaignId: campaign.id })
}

type CampaignChange = Partial<Omit<Campaign, "id" | "projectId" | "createdAt">>

/** Saves a change of a campaign. @throws {DomainError} 409 when its status is no longer the known one */
export async function saveCampaign(unit: Unit, known: Campaign, change: CampaignChange): Promise<void> {
  const saved = await unit.db
    .update(campaignTable)
    .set({ ...change, searchText: searchTextOf({ ...known, ...change }) })
    .where(inStatus(known))
    .returning({ id: campaignTable.id })
  requireOne(saved)
}

/** Deletes a campaign. @throws {DomainError} 409 when its status is no longer the known one */
export async function deleteCampaign(unit: Unit, known: Campaign): Promise<void> {
  requireOne(await unit.db.delete(campaignTable).where(inStatus(known)).returning({ id: campaignTable.id }))
}

const inStatus = ({ projectId, id, status }: Campaign): SQL | undefined =>
  and(isCampaign(projectId, id), eq(campaignTable.status, status))

function requireOne(rows: readonly unknown[]): void {
  if (rows.length === 0) throw conflict("The campaign was changed at the same time.")
}

/** The SCHEDULED and SENDING campaigns of a project. */
export const listActive = (db: Db, projectId: string): Promise<Campaign[]> =>
  db
    .select(columns)
    .from(campaignTable)
    .where(and(eq(campaignTable.projectId, projectId), inArray(campaignTable.status, ["SCHEDULED", "SENDING"])))

/** The latest time that the sending of a campaign started, null without one. */
export async function findLastSentAt(db: Db, project: string): Promise<number | null> {
  const [row] = await db
    .select({ at: max(campaignTable.sentAt) })
    .from(campaignTable)
    .where(eq(campaignTable.projectId, project))
  return row?.at ?? null
}

/** Deletes every campaign of a project, whatever its status; resolves to their ids. */
export async function deleteCampaigns(unit: Unit, project: string): Promise<string[]> {
  const { id, projectId } = campaignTable
  return (await unit.db.delete(campaignTable).where(eq(projectId, project)).returning({ id })).map((row) => row.id)
}
