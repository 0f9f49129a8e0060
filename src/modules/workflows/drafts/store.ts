import { and, count, desc, eq, inArray, lt, max } from "drizzle-orm"
import type { Db } from "../../../store/database.ts"
import { jsonLength, jsonPath, jsonValueOf } from "../../../store/dialect.ts"
import type { Unit } from "../../../store/writer.ts"
import {
  type Draft,
  draftTable,
  executionTable,
  type GraphDocument,
  type PublishedGraph,
  versionTable,
} from "../table.ts"

/** The graphs of one workflow that are kept. */
const keptVersions = 20

const emptyGraph: GraphDocument = { steps: [], transitions: [] }

const hasSteps = ({ graph }: Draft): boolean => graph.steps.length > 0

async function findRow(db: Db, workflowId: string): Promise<Draft | undefined> {
  const [row] = await db.select().from(draftTable).where(eq(draftTable.workflowId, workflowId))
  return row
}

export async function findDraft(db: Db, workflowId: string): Promise<Draft | undefined> {
  const row = await findRow(db, workflowId)
  return row && hasSteps(row) ? row : undefined
}

/** Stores a graph as the draft, under the next revision. */
export async function saveDraft(
  unit: Unit,
  workflowId: string,
  { graph, basedOn }: Pick<Draft, "graph" | "basedOn">,
): Promise<Draft> {
  const row = await findRow(unit.db, workflowId)
  const createdAt = row && hasSteps(row) ? row.createdAt : unit.now
  const draft: Draft = {
    workflowId,
    graph,
    basedOn,
    revision: (row?.revision ?? 0) + 1,
    createdAt,
    updatedAt: unit.now,
  }
  await unit.db.insert(draftTable).values(draft).onConflictDoUpdate({ target: draftTable.workflowId, set: draft })
  return draft
}

export async function clearDraft(unit: Unit, { workflowId, revision }: Draft): Promise<void> {
  await unit.db
    .update(draftTable)
    .set({ graph: emptyGraph, revision: revision + 1, updatedAt: unit.now })
    .where(eq(draftTable.workflowId, workflowId))
}

/** A kept graph, without the graph. */
export interface KeptVersion {
  readonly version: number
  readonly steps: number
  readonly createdAt: number
}

/** The newest first. */
export const listVersions = (db: Db, workflowId: string) =>
  db
    .select({
      version: versionTable.version,
      steps: jsonLength(versionTable.graph, jsonPath(["steps"])).as("steps"),
      createdAt: versionTable.createdAt,
    })
    .from(versionTable)
    .where(eq(versionTable.workflowId, workflowId))
    .orderBy(desc(versionTable.version))

export async function findVersion(db: Db, workflowId: string, version: number): Promise<PublishedGraph | undefined> {
  const [row] = await db
    .select({ graph: versionTable.graph })
    .from(versionTable)
    .where(and(eq(versionTable.workflowId, workflowId), eq(versionTable.version, version)))
  return row?.graph
}

/** The version that was published last; undefined when none was. */
export async function latestVersion(db: Db, workflowId: string): Promise<number | undefined> {
  const [row] = await db
    .select({ version: max(versionTable.version) })
    .from(versionTable)
    .where(eq(versionTable.workflowId, workflowId))
  return row?.version ?? undefined
}

/** Stores a graph under its version, and deletes the oldest beyond the limit. */
export async function keepVersion(
  unit: Unit,
  workflowId: string,
  version: number,
  graph: PublishedGraph,
): Promise<void> {
  await unit.db
    .insert(versionTable)
    .values({ workflowId, version, graph, createdAt: unit.now })
    .onConflictDoNothing({ target: [versionTable.workflowId, versionTable.version] })
  const [oldest] = await unit.db
    .select({ version: versionTable.version })
    .from(versionTable)
    .where(eq(versionTable.workflowId, workflowId))
    .orderBy(desc(versionTable.version))
    .limit(1)
    .offset(keptVersions - 1)
  if (oldest === undefined) return
  await unit.db
    .delete(versionTable)
    .where(and(eq(versionTable.workflowId, workflowId), lt(versionTable.version, oldest.version)))
}

export async function saveVersion(unit: Unit, workflowId: string, version: number, graph: PublishedGraph) {
  await unit.db
    .update(versionTable)
    .set({ graph })
    .where(and(eq(versionTable.workflowId, workflowId), eq(versionTable.version, version)))
}

/** How many active executions stand on each of these steps; those without any are left out. */
export const countStanding = (db: Db, stepIds: readonly string[]) =>
  db
    .select({ stepId: executionTable.currentStepId, people: count().as("people") })
    .from(executionTable)
    .where(inArray(executionTable.currentStepId, [...stepIds]))
    .groupBy(executionTable.currentStepId)

/** The unfinished plan of a published graph, without reading the graph. */
export async function findUnfinished(db: Db, workflowId: string): Promise<Pick<PublishedGraph, "moves" | "delays">> {
  const { graph, version } = versionTable
  const [row] = await db
    .select({ moves: jsonValueOf(graph, jsonPath(["moves"])), delays: jsonValueOf(graph, jsonPath(["delays"])) })
    .from(versionTable)
    .where(eq(versionTable.workflowId, workflowId))
    .orderBy(desc(version))
    .limit(1)
  return {
    ...(typeof row?.moves === "string" && { moves: JSON.parse(row.moves) }),
    ...(typeof row?.delays === "string" && { delays: JSON.parse(row.delays) }),
  }
}
