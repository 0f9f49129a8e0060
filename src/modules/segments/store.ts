import { and, asc, desc, eq, gt, isNotNull, ne, or, sql } from "drizzle-orm"
import type { ConditionJson } from "../../conditions/index.ts"
import type { Db } from "../../store/database.ts"
import { idParam, isFlag, isOneOf } from "../../store/dialect.ts"
import { prepare } from "../../store/prepare.ts"
import type { Unit } from "../../store/writer.ts"
import { type Segment, segmentTable } from "./table.ts"

const { placeholder } = sql
const { id, projectId, name, type, trackMembership } = segmentTable

const byId = prepare((db) =>
  db
    .select()
    .from(segmentTable)
    .where(and(eq(projectId, idParam("projectId")), eq(id, idParam("id")))),
)

export async function findSegment(db: Db, project: string, segmentId: string): Promise<Segment | undefined> {
  const [row] = await byId(db, { projectId: project, id: segmentId })
  return row
}

/** Every segment of a project, the newest first: ids rise with time. */
export const listSegments = (db: Db, project: string): Promise<Segment[]> =>
  db.select().from(segmentTable).where(eq(projectId, project)).orderBy(desc(id))

/** The part of a segment that determines who is in it. The condition is the text as stored. */
export interface Rule extends Pick<Segment, "id" | "projectId" | "name" | "type" | "trackMembership"> {
  readonly condition: string | null
}

/** The condition is read as text, which is the key under which its parsed form is cached. */
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
    .where(and(eq(projectId, idParam("projectId")), eq(id, idParam("id")))),
)

export async function findRule(db: Db, project: string, segmentId: string): Promise<Rule | undefined> {
  const [row] = await rule(db, { projectId: project, id: segmentId })
  return row
}

const rules = prepare((db) =>
  db
    .select(ruleColumns)
    .from(segmentTable)
    .where(and(eq(projectId, idParam("projectId")), isOneOf(id, placeholder("ids")))),
)

/** The segments with these ids that exist. */
export const listRules = (db: Db, project: string, ids: Iterable<string>): Promise<Rule[]> =>
  rules(db, { projectId: project, ids: JSON.stringify([...ids]) })

const ofProject = prepare((db) =>
  db
    .select(ruleColumns)
    .from(segmentTable)
    .where(eq(projectId, idParam("projectId")))
    .orderBy(asc(id)),
)

export const listAllRules = (db: Db, project: string): Promise<Rule[]> => ofProject(db, { projectId: project })

const isTracked = and(eq(type, "DYNAMIC"), isFlag(trackMembership, true))

const tracked = prepare((db) =>
  db
    .select(ruleColumns)
    .from(segmentTable)
    .where(and(eq(projectId, idParam("projectId")), isTracked))
    .orderBy(asc(id)),
)

/** The DYNAMIC segments of a project that track membership. */
export const listTracked = (db: Db, project: string): Promise<Rule[]> => tracked(db, { projectId: project })

/** The same of all projects. */
export const listAllTracked = (db: Db): Promise<Rule[]> =>
  db.select(ruleColumns).from(segmentTable).where(isTracked).orderBy(asc(id))

/** The next project that has segments, by id. */
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

/** Saves a change of a segment; false when it is gone, or no longer tracks membership as `known` does. */
export async function saveSegment(unit: Unit, known: Segment, changed: Segment): Promise<boolean> {
  const { name, description, condition, trackMembership, updatedAt } = changed
  const saved = await unit.db
    .update(segmentTable)
    .set({ name, description, condition: condition as ConditionJson | null, trackMembership, updatedAt })
    .where(
      and(
        eq(projectId, known.projectId),
        eq(id, known.id),
        isFlag(segmentTable.trackMembership, known.trackMembership),
      ),
    )
    .returning({ id })
  return saved.length > 0
}

export async function deleteSegment(unit: Unit, project: string, segmentId: string): Promise<boolean> {
  const deleted = await unit.db
    .delete(segmentTable)
    .where(and(eq(projectId, project), eq(id, segmentId)))
    .returning({ id })
  return deleted.length > 0
}

/** Does not touch `updatedAt`: a new count is not a change of the segment. */
export async function saveCount(unit: Unit, project: string, segmentId: string, memberCount: number): Promise<void> {
  await unit.db
    .update(segmentTable)
    .set({ memberCount, computeError: null })
    .where(
      and(
        eq(projectId, project),
        eq(id, segmentId),
        or(ne(segmentTable.memberCount, memberCount), isNotNull(segmentTable.computeError)),
      ),
    )
}

/** Why a segment could not be counted or computed; its last count stays. */
export async function saveComputeError(unit: Unit, project: string, segmentId: string, why: string): Promise<void> {
  await unit.db
    .update(segmentTable)
    .set({ computeError: why })
    .where(and(eq(projectId, project), eq(id, segmentId)))
}

/** Deletes every segment of a project. The recorded members go with their contacts. */
export async function deleteSegments(unit: Unit, project: string): Promise<void> {
  await unit.db.delete(segmentTable).where(eq(projectId, project))
}
