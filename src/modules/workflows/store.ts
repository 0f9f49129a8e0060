import { and, asc, count, desc, eq, inArray, or, type SQL, sql } from "drizzle-orm"
import type { Paging } from "../../http/page.ts"
import type { Db } from "../../store/database.ts"
import { containsText, domainOfAddress, isFlag } from "../../store/dialect.ts"
import type { Unit } from "../../store/writer.ts"
import { templateTable } from "../templates/index.ts"
import type { Graph } from "./graph.ts"
import {
  type Step,
  type StepType,
  stepTable,
  type Transition,
  transitionTable,
  type Workflow,
  workflowTable,
} from "./table.ts"

export const sortKeys = ["name", "createdAt", "updatedAt"] as const

export interface WorkflowQuery {
  readonly search: string | undefined
  readonly sort: (typeof sortKeys)[number]
  readonly dir: "asc" | "desc"
}

export interface ListedWorkflow {
  readonly workflow: Workflow
  readonly steps: number
}

export async function findWorkflow(db: Db, projectId: string, id: string): Promise<Workflow | undefined> {
  const [row] = await db
    .select()
    .from(workflowTable)
    .where(and(eq(workflowTable.projectId, projectId), eq(workflowTable.id, id)))
  return row
}

export async function hasEnabledWorkflow(db: Db, projectId: string): Promise<boolean> {
  const enabled = and(eq(workflowTable.projectId, projectId), isFlag(workflowTable.enabled, true))
  const [row] = await db.select({ id: workflowTable.id }).from(workflowTable).where(enabled).limit(1)
  return row !== undefined
}

const matching = (projectId: string, search: string | undefined) =>
  and(
    eq(workflowTable.projectId, projectId),
    search === undefined
      ? undefined
      : or(containsText(workflowTable.name, search), containsText(workflowTable.description, search)),
  )

const sortKey = {
  name: sql`lower(${workflowTable.name})`,
  createdAt: workflowTable.createdAt,
  updatedAt: workflowTable.updatedAt,
}

export async function listWorkflows(
  db: Db,
  projectId: string,
  { search, sort, dir }: WorkflowQuery,
  { offset, pageSize }: Paging,
): Promise<{ rows: ListedWorkflow[]; total: number }> {
  const inOrder = dir === "asc" ? asc : desc
  const total = await db.$count(workflowTable, matching(projectId, search))
  const workflows = await db
    .select()
    .from(workflowTable)
    .where(matching(projectId, search))
    .orderBy(inOrder(sortKey[sort]), inOrder(workflowTable.id))
    .limit(pageSize)
    .offset(offset)
  const ids = workflows.map(({ id }) => id)
  const counted = await db
    .select({ workflowId: stepTable.workflowId, steps: count() })
    .from(stepTable)
    .where(inArray(stepTable.workflowId, ids))
    .groupBy(stepTable.workflowId)
  const stepsOf = new Map(counted.map(({ workflowId, steps }) => [workflowId, steps]))
  return { rows: workflows.map((workflow) => ({ workflow, steps: stepsOf.get(workflow.id) ?? 0 })), total }
}

/** The graph, the oldest part first: clients choose ids too (contract B5.3.8), so they do not tell the age. */
export async function readGraph(db: Db, workflowId: string): Promise<Graph> {
  const steps = await db
    .select()
    .from(stepTable)
    .where(eq(stepTable.workflowId, workflowId))
    .orderBy(stepTable.createdAt, stepTable.id)
  const transitions = await db
    .select()
    .from(transitionTable)
    .where(eq(transitionTable.workflowId, workflowId))
    .orderBy(transitionTable.createdAt, transitionTable.id)
  const templateIds = steps.flatMap(({ templateId }) => templateId ?? [])
  const named =
    templateIds.length === 0
      ? []
      : await db
          .select({ id: templateTable.id, name: templateTable.name })
          .from(templateTable)
          .where(inArray(templateTable.id, templateIds))
  return { steps, transitions, templateNames: new Map(named.map(({ id, name }) => [id, name])) }
}

export async function insertWorkflow(unit: Unit, workflow: Workflow): Promise<void> {
  await unit.db.insert(workflowTable).values(workflow)
}

/** All but the version, which only the database counts. */
export async function saveWorkflow(unit: Unit, { id, projectId, version: _, ...rest }: Workflow): Promise<void> {
  await unit.db
    .update(workflowTable)
    .set(rest)
    .where(and(eq(workflowTable.projectId, projectId), eq(workflowTable.id, id)))
}

/** Called in each unit that changes the graph: it invalidates copies of it. */
export async function countVersion(unit: Unit, id: string): Promise<void> {
  await unit.db
    .update(workflowTable)
    .set({ version: sql`${workflowTable.version} + 1` })
    .where(eq(workflowTable.id, id))
}

export async function deleteWorkflow(unit: Unit, projectId: string, id: string): Promise<void> {
  await unit.db.delete(workflowTable).where(and(eq(workflowTable.projectId, projectId), eq(workflowTable.id, id)))
}

export async function findStepType(db: Db, workflowId: string, id: string): Promise<StepType | undefined> {
  const [row] = await db
    .select({ type: stepTable.type })
    .from(stepTable)
    .where(and(eq(stepTable.workflowId, workflowId), eq(stepTable.id, id)))
  return row?.type
}

export async function insertStep(unit: Unit, step: Step): Promise<void> {
  await unit.db.insert(stepTable).values(step)
}

export async function saveStep(unit: Unit, { id, workflowId, ...rest }: Step): Promise<void> {
  await unit.db
    .update(stepTable)
    .set(rest)
    .where(and(eq(stepTable.workflowId, workflowId), eq(stepTable.id, id)))
}

export async function deleteStep(unit: Unit, { id, workflowId }: Step): Promise<void> {
  await unit.db.delete(stepTable).where(and(eq(stepTable.workflowId, workflowId), eq(stepTable.id, id)))
}

export async function insertTransitions(unit: Unit, transitions: readonly Transition[]): Promise<void> {
  if (transitions.length > 0) await unit.db.insert(transitionTable).values([...transitions])
}

export async function saveTransition(unit: Unit, { id, workflowId, ...rest }: Transition): Promise<void> {
  await unit.db
    .update(transitionTable)
    .set(rest)
    .where(and(eq(transitionTable.workflowId, workflowId), eq(transitionTable.id, id)))
}

export async function deleteTransitions(unit: Unit, transitions: readonly Transition[]): Promise<void> {
  const ids = transitions.map(({ id }) => id)
  if (ids.length > 0) await unit.db.delete(transitionTable).where(inArray(transitionTable.id, ids))
}

export const listStartedBy = (db: Db, projectId: string, eventName: string): Promise<Workflow[]> =>
  db
    .select()
    .from(workflowTable)
    .where(and(eq(workflowTable.projectId, projectId), eq(workflowTable.eventName, eventName)))
    .orderBy(workflowTable.id)

/** A step that refers to something outside of its workflow. */
export interface ReferringStep extends Pick<Step, "id" | "name" | "type" | "config"> {
  readonly workflow: Pick<Workflow, "id" | "name">
}

const referring = {
  id: stepTable.id,
  name: stepTable.name,
  type: stepTable.type,
  config: stepTable.config,
  workflow: { id: workflowTable.id, name: workflowTable.name },
}

const stepsWhere = (db: Db, projectId: string, condition: SQL | undefined): Promise<ReferringStep[]> =>
  db
    .select(referring)
    .from(workflowTable)
    .innerJoin(stepTable, eq(stepTable.workflowId, workflowTable.id))
    .where(and(eq(workflowTable.projectId, projectId), condition))
    .orderBy(workflowTable.id, stepTable.id)

export const listStepsOfTypes = (db: Db, projectId: string, types: readonly StepType[]): Promise<ReferringStep[]> =>
  stepsWhere(db, projectId, inArray(stepTable.type, [...types]))

export const listStepsWithTemplate = (db: Db, projectId: string, templateId: string): Promise<ReferringStep[]> =>
  stepsWhere(db, projectId, eq(stepTable.templateId, templateId))

/** The steps of enabled workflows that send a template with a sender address at the domain. */
export const listStepsSendingFrom = (db: Db, projectId: string, domain: string): Promise<ReferringStep[]> =>
  db
    .select(referring)
    .from(templateTable)
    .innerJoin(stepTable, eq(stepTable.templateId, templateTable.id))
    .innerJoin(workflowTable, eq(workflowTable.id, stepTable.workflowId))
    .where(
      and(
        eq(templateTable.projectId, projectId),
        eq(domainOfAddress(templateTable.from), domain),
        isFlag(workflowTable.enabled, true),
      ),
    )
    .orderBy(workflowTable.id, stepTable.id)

/** A row for each workflow: the event that starts it, and each event that a step of it waits for. */
export async function listEventNames(db: Db): Promise<{ projectId: string; name: string }[]> {
  const workflows = await db
    .select({ projectId: workflowTable.projectId, name: workflowTable.eventName })
    .from(workflowTable)
  const waits = await db
    .select({ projectId: workflowTable.projectId, config: stepTable.config })
    .from(stepTable)
    .innerJoin(workflowTable, eq(workflowTable.id, stepTable.workflowId))
    .where(eq(stepTable.type, "WAIT_FOR_EVENT"))
  return [...workflows, ...waits.map(({ projectId, config }) => ({ projectId, name: String(config.eventName) }))].map(
    ({ projectId, name }) => ({ projectId, name: name ?? "" }),
  )
}

export async function listWorkflowIds(db: Db, projectId: string): Promise<string[]> {
  const rows = await db
    .select({ id: workflowTable.id })
    .from(workflowTable)
    .where(eq(workflowTable.projectId, projectId))
  return rows.map(({ id }) => id)
}
