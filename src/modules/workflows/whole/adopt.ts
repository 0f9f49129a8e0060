import { and, eq, inArray } from "drizzle-orm"
import { type Fault, fault } from "../../../kernel/errors.ts"
import { type Ids, parseId } from "../../../kernel/ids.ts"
import type { Db } from "../../../store/database.ts"
import { templateTable } from "../../templates/index.ts"
import { findWorkflowOfStep } from "../executions/store.ts"
import type { Graph } from "../graph.ts"
import { type GraphDocument, stepTable, transitionTable, type Workflow } from "../table.ts"
import { type ReadGraph, type ReadStep, type SentGraph, templateNamed } from "./sent.ts"

/** A graph with ids of this workflow, and what follows from its rows. */
export interface AdoptedGraph {
  readonly graph: GraphDocument
  /** The ids that were sent and are others now. */
  readonly ids: ReadonlyMap<string, string>
  /** Templates that do not exist, and steps of another type than before. */
  readonly faults: readonly Fault[]
}

/** Chooses the id of each part: those of this workflow and free ones are kept, others stand for new parts. */
function choose(ids: Ids, sent: readonly string[], own: ReadonlySet<string>, taken: ReadonlySet<string>) {
  return new Map(
    sent.map((text): [string, string] => {
      const id = parseId(text)
      return [text, id !== undefined && (own.has(id) || !taken.has(id)) ? id : ids.next()]
    }),
  )
}

const uuidsIn = (sent: readonly string[]): string[] => sent.flatMap((text) => parseId(text) ?? [])

async function findTaken(db: Db, table: typeof stepTable | typeof transitionTable, sent: readonly string[]) {
  const uuids = uuidsIn(sent)
  if (uuids.length === 0) return new Set<string>()
  const rows = await db.select({ id: table.id }).from(table).where(inArray(table.id, uuids))
  return new Set(rows.map(({ id }) => id))
}

/** Ids of steps that other workflows have, or that their executions name although the steps are gone. */
async function findTakenSteps(db: Db, workflowId: string, sent: readonly string[], own: ReadonlySet<string>) {
  const taken = await findTaken(db, stepTable, sent)
  for (const id of uuidsIn(sent)) {
    if (own.has(id) || taken.has(id)) continue
    const namedBy = await findWorkflowOfStep(db, id)
    if (namedBy !== undefined && namedBy !== workflowId) taken.add(id)
  }
  return taken
}

async function findTemplates(db: Db, projectId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .select({ id: templateTable.id })
    .from(templateTable)
    .where(and(eq(templateTable.projectId, projectId), inArray(templateTable.id, [...ids])))
  return new Set(rows.map(({ id }) => id))
}

/** The template that a step sends, where it is named by an id. */
function templateIdOf(step: ReadStep): string | null {
  const named = step.type === "SEND_EMAIL" ? templateNamed(step) : null
  return typeof named === "string" ? (parseId(named) ?? null) : null
}

/** The faults of a graph that follow from rows: templates that do not exist, and steps of another type than before. */
export async function storedFaults(
  db: Db,
  projectId: string,
  { steps }: Pick<ReadGraph, "steps">,
  live: Pick<Graph, "steps">,
): Promise<Fault[]> {
  const sent = [...steps.entries()].flatMap(([index, step]) =>
    step ? [{ index, ...step, template: templateIdOf(step) }] : [],
  )
  const known = await findTemplates(
    db,
    projectId,
    sent.flatMap(({ template }) => template ?? []),
  )
  const types = new Map(live.steps.map(({ id, type }) => [id, type]))
  return sent.flatMap(({ index, id, type, template }) => {
    // The trigger is that of the workflow, whatever its id.
    const before = type === "TRIGGER" ? type : (types.get(id) ?? type)
    return [
      ...(before === type ? [] : [typeFault(index, before)]),
      ...(template === null || known.has(template) ? [] : [templateFault(index)]),
    ]
  })
}

/** Turns a graph sent by a client into one of this workflow, whose present graph is `live` (contract B5.3.8). */
export async function adopt(
  db: Db,
  ids: Ids,
  { id: workflowId, projectId, eventName }: Pick<Workflow, "id" | "projectId" | "eventName">,
  { steps, transitions }: SentGraph,
  live: Pick<Graph, "steps" | "transitions">,
): Promise<AdoptedGraph> {
  const stepIds = steps.map(({ id }) => id)
  const ownSteps = new Set(live.steps.map(({ id }) => id))
  const chosen = choose(ids, stepIds, ownSteps, await findTakenSteps(db, workflowId, stepIds, ownSteps))
  const trigger = live.steps.find(({ type }) => type === "TRIGGER")
  const sentTrigger = steps.find(({ type }) => type === "TRIGGER")
  if (trigger && sentTrigger) chosen.set(sentTrigger.id, trigger.id)
  const idOf = (sent: string): string => chosen.get(sent) ?? sent

  const adopted = steps.map((step) => {
    const id = idOf(step.id)
    const templateId = templateIdOf(step)
    const config = step.type === "TRIGGER" ? (eventName === null ? {} : { eventName }) : step.config
    return { ...step, id, templateId, config: templateId === null ? config : { ...config, templateId } }
  })

  const sentIds = transitions.flatMap(({ id }) => id ?? [])
  const ownIds = new Set(live.transitions.map(({ id }) => id))
  const chosenIds = choose(ids, sentIds, ownIds, await findTaken(db, transitionTable, sentIds))
  const used = new Set<string>()
  const transitionId = (sent: string | undefined): string => {
    const id = sent === undefined ? ids.next() : (chosenIds.get(sent) ?? ids.next())
    // Sent for two transitions.
    const free = used.has(id) ? ids.next() : id
    used.add(free)
    return free
  }
  const led = transitions.map(({ id, fromStepId, toStepId, branch, priority }) => ({
    id: transitionId(id),
    fromStepId: idOf(fromStepId),
    toStepId: idOf(toStepId),
    branch,
    priority,
  }))
  const changed = [...chosen].filter(([sent, id]) => sent !== id)
  const faults = await storedFaults(db, projectId, { steps }, live)
  return { graph: { steps: adopted, transitions: led }, ids: new Map(changed), faults }
}

const typeFault = (index: number, type: string): Fault =>
  fault(`steps.${index}.type`, "custom", `A step keeps its type, ${type}. Send a new id for a new step.`)

function templateFault(index: number): Fault {
  const path = `steps.${index}.config.templateId`
  return fault(path, "custom", `${path} names a template that does not exist.`)
}
