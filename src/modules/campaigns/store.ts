import { and, asc, count, desc, eq, getTableColumns, inArray, type SQL, sql } from "drizzle-orm"
import type { Paging } from "../../http/page.ts"
import type { Db } from "../../store/database.ts"
import { containsText } from "../../store/dialect.ts"
import type { Unit } from "../../store/writer.ts"
import { type Contact, contactTable } from "../contacts/index.ts"
import { segmentTable } from "../segments/index.ts"
import { caseFold } from "../templates/index.ts"
import { searchTextOf, unsent } from "./rules.ts"
import { type Campaign, type CampaignStatus, type CampaignTally, campaignTable, campaignTallyTable } from "./table.ts"

export interface CampaignFilter {
  readonly status: CampaignStatus | undefined
  /** Looked for in name, subject and sender, literally and without regard to case. */
  readonly search: string | undefined
}

export const sortKeys = ["createdAt", "updatedAt", "name"] as const

export interface CampaignOrder {
  readonly sort: (typeof sortKeys)[number]
  readonly dir: "asc" | "desc"
}

/** A campaign with all that its record shows. */
export interface Report {
  readonly campaign: Campaign
  readonly tally: CampaignTally
  /** The segment it is for, while there is one. */
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

export async function findReport(db: Db, projectId: string, id: string): Promise<Report | undefined> {
  const [row] = await reports(db).where(isCampaign(projectId, id))
  return row
}

const matching = (projectId: string, { status, search }: CampaignFilter): SQL | undefined =>
  and(
    eq(campaignTable.projectId, projectId),
    status === undefined ? undefined : eq(campaignTable.status, status),
    search === undefined ? undefined : containsText(campaignTable.searchText, caseFold(search)),
  )

/** Names sort without regard to the case of ASCII letters. */
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
): Promise<Report[]> {
  const inOrder = dir === "asc" ? asc : desc
  // Found and sorted without their bodies, which are read of one page alone.
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

/** What the campaigns that are still to be sent go by when they choose their audience. */
export function listUnsent(
  db: Db,
  projectId: string,
): Promise<Pick<Campaign, "id" | "name" | "segmentId" | "audienceCondition">[]> {
  const { id, name, segmentId, audienceCondition } = campaignTable
  return db
    .select({ id, name, segmentId, audienceCondition })
    .from(campaignTable)
    .where(and(eq(campaignTable.projectId, projectId), inArray(campaignTable.status, [...unsent])))
    .orderBy(asc(campaignTable.id))
}

export async function insertCampaign(unit: Unit, campaign: Campaign): Promise<void> {
  await unit.db.insert(campaignTable).values({ ...campaign, searchText: searchTextOf(campaign) })
  await unit.db.insert(campaignTallyTable).values({ campaignId: campaign.id })
}

export async function saveCampaign(unit: Unit, campaign: Campaign): Promise<void> {
  const { id, projectId, ...rest } = campaign
  await unit.db
    .update(campaignTable)
    .set({ ...rest, searchText: searchTextOf(campaign) })
    .where(isCampaign(projectId, id))
}

export async function deleteCampaign(unit: Unit, projectId: string, id: string): Promise<void> {
  await unit.db.delete(campaignTable).where(isCampaign(projectId, id))
}

/** The contact of a project that has an address, in canonical form. */
export async function findAddressee(db: Db, projectId: string, email: string): Promise<Contact | undefined> {
  const [row] = await db
    .select()
    .from(contactTable)
    .where(and(eq(contactTable.projectId, projectId), eq(contactTable.email, email)))
  return row
}

/** Campaigns of a project that are planned or on their way. */
export const listActive = (db: Db, projectId: string): Promise<Campaign[]> =>
  db
    .select(columns)
    .from(campaignTable)
    .where(and(eq(campaignTable.projectId, projectId), inArray(campaignTable.status, ["SCHEDULED", "SENDING"])))
