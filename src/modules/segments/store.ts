import { and, asc, desc, eq, gt, ne, sql } from "drizzle-orm"
import type { ConditionJson } from "../../conditions/index.ts"
import type { Db } from "../../store/database.ts"
import { isFlag, isOneOf } from "../../store/dialect.ts"
import { prepare } from "../../store/prepare.ts"
import type { Unit } from "../../store/writer.ts"
import { type Segment, segmentTable } from "./table.ts"

const hole = sql.placeholder
const { id, projectId, name, type, trackMembership } = segmentTable

const byId = prepare((db) =>
  db
    .select()
    .from(segmentTable)
    .where(and(eq(projectId, hole("projectId")), eq(id, hole("id")))),
)

export async function findSegment(db: Db, project: string, segmentId: string): Promise<Segment | undefined> {
  const [row] = await byId(db, { projectId: project, id: segmentId })
  return row
}

/** Every segment of a project, the newest first: ids rise with time. */
export const listSegments = (db: Db, project: string): Promise<Segment[]> =>
  db.select().from(segmentTable).where(eq(projectId, project)).orderBy(desc(id))

/** What is needed of a segment to tell who belongs to it. The condition is the text as it is stored. */
export interface Rule extends Pick<Segment, "id" | "projectId" | "name" | "type" | "trackMembership"> {
  readonly condition: string | null
}

/** Read as text: who belongs is asked far more often than conditions change, and their text tells when they do. */
const ruleColumns = {
  id,
  projectId,
  name,
  type,
  trackMembership,
  condition: sql<string | null>`${sql.identifier("condition")}`,
}

const rule = prepare((db) =>
  db
    .select(ruleColumns)
    .from(segmentTable)
    .where(and(eq(projectId, hole("projectId")), eq(id, hole("id")))),
)

export async function findRule(db: Db, project: string, segmentId: string): Promise<Rule | undefined> {
  const [row] = await rule(db, { projectId: project, id: segmentId })
  return row
}

const rules = prepare((db) =>
  db
    .select(ruleColumns)
    .from(segmentTable)
    .where(and(eq(projectId, hole("projectId")), isOneOf(id, hole("ids")))),
)

/** Those of the segments that there are. */
export const listRules = (db: Db, project: string, ids: Iterable<string>): Promise<Rule[]> =>
  rules(db, { projectId: project, ids: JSON.stringify([...ids]) })

const ofProject = prepare((db) =>
  db
    .select(ruleColumns)
    .from(segmentTable)
    .where(eq(projectId, hole("projectId")))
    .orderBy(asc(id)),
)

export const listAllRules = (db: Db, project: string): Promise<Rule[]> => ofProject(db, { projectId: project })

const isTracked = and(eq(type, "DYNAMIC"), isFlag(trackMembership, true))

const tracked = prepare((db) =>
  db
    .select(ruleColumns)
    .from(segmentTable)
    .where(and(eq(projectId, hole("projectId")), isTracked))
    .orderBy(asc(id)),
)

/** The DYNAMIC segments of a project whose membership follows its contacts. */
export const listTracked = (db: Db, project: string): Promise<Rule[]> => tracked(db, { projectId: project })

/** The same of all projects. */
export const listAllTracked = (db: Db): Promise<Rule[]> =>
  db.select(ruleColumns).from(segmentTable).where(isTracked).orderBy(asc(id))

/** The project that comes behind another among those that have segments. */
export async function nextProject(db: Db, after: string): Promise<string | undefined> {
  const [row] = await db
    .select({ projectId })
    .from(segmentTable)
    .where(gt(projectId, after))
    .orderBy(asc(projectId))
    .limit(1)
  return row?.projectId
}

export async function insertSegment(unit: Unit, segment: Segment): Promise<void> {
  await unit.db.insert(segmentTable).values(segment)
}

export async function saveSegment(unit: Unit, { id: segmentId, projectId: project, ...fields }: Segment) {
  const { name, description, condition, trackMembership, updatedAt } = fields
  await unit.db
    .update(segmentTable)
    .set({ name, description, condition: condition as ConditionJson | null, trackMembership, updatedAt })
    .where(and(eq(projectId, project), eq(id, segmentId)))
}

export async function deleteSegment(unit: Unit, project: string, segmentId: string): Promise<boolean> {
  const gone = await unit.db
    .delete(segmentTable)
    .where(and(eq(projectId, project), eq(id, segmentId)))
    .returning({ id })
  return gone.length > 0
}

/** A count is no change of the segment: its `updatedAt` stays. */
export async function saveCount(unit: Unit, project: string, segmentId: string, memberCount: number): Promise<void> {
  await unit.db
    .update(segmentTable)
    .set({ memberCount })
    .where(and(eq(projectId, project), eq(id, segmentId), ne(segmentTable.memberCount, memberCount)))
}
