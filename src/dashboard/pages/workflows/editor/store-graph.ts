import { ApiError } from "../../../api/http.ts"
import {
  changeWorkflow,
  createWorkflow,
  deleteWorkflow,
  replaceGraph,
  saveDraft,
  type Workflow,
} from "../../../api/workflows.ts"
import type { EditedWorkflow } from "./edited.ts"
import type { Flow, WorkflowContent } from "./flow.ts"
import { faultsIn } from "./model/faults.ts"
import { freshId, type Graph, triggerOf } from "./model/graph.ts"
import { sentGraph } from "./sent-graph.ts"

/** Whether people are in the workflow, so that only a draft can be changed (contract B5.2). */
const isLocked = (cause: unknown): boolean =>
  cause instanceof ApiError && cause.status === 409 && !/version/i.test(`${cause.code} ${cause.message}`)

/** The path of a step in a graph that was refused: its faults are shown at the step. */
const stepPath = /^(?:graph\.)?steps\.(\d+)\.(?:config\.)?(.*)$/

/** Faults at steps by their ids instead of their positions; their texts stand at the step, so they need no path either. */
function atSteps(cause: unknown, { steps }: Graph): unknown {
  if (!(cause instanceof ApiError)) return cause
  const faults = cause.faults.map((fault) => {
    const [, index, key = ""] = stepPath.exec(fault.field) ?? []
    const step = index === undefined ? undefined : steps[Number(index)]
    if (step === undefined) return fault
    const { field, message } = fault
    return { ...fault, field: `flow:${step.id}:${key}`, message: message.replace(field, "It") }
  })
  return new ApiError(cause.status, cause.message, faults, cause.details, cause.code, cause.suggestion)
}

const isIncomplete = (flow: Flow): boolean =>
  faultsIn(flow, flow, { isGone: () => false }).some(({ isHint }) => !isHint)

/**
 * Saves the graph: into the draft where there is one, where something is missing, or where people are in the workflow.
 * Otherwise it replaces the live one, which has to be the one of that version.
 */
export async function saveGraph(projectId: string, flow: Flow, stored: EditedWorkflow, version: number): Promise<void> {
  const { id } = stored.workflow
  const graph = sentGraph(flow)
  const known = stored.draft ? { version: stored.draft.version } : {}
  const toDraft = () => saveDraft(projectId, id, { ...graph, ...known, basedOn: version })
  try {
    if (stored.draft || isIncomplete(flow)) await toDraft()
    else
      await replaceGraph(projectId, id, { ...graph, version }).catch((cause: unknown) => {
        if (!isLocked(cause)) throw cause
        return toDraft()
      })
  } catch (cause) {
    throw atSteps(cause, flow)
  }
}

/** Creates a workflow, which is off, with these steps under new ids. Nothing is left of it if they are refused. */
export async function createWithGraph(
  projectId: string,
  { name, description, flow }: WorkflowContent,
): Promise<Workflow> {
  const { triggerType, eventName, allowReentry } = flow
  const isEvent = triggerType === "EVENT"
  const created = await createWorkflow(projectId, {
    name: name.trim(),
    description: description.trim() || null,
    allowReentry,
    eventName: isEvent ? eventName.trim() : "manual",
  })
  const { id } = created
  try {
    const { version } = isEvent ? created : await changeWorkflow(projectId, id, { triggerType })
    const graph = sentGraph(withNewIds(flow, created.steps[0]?.id))
    if (isIncomplete(flow)) await saveDraft(projectId, id, { ...graph, basedOn: version })
    else await replaceGraph(projectId, id, { ...graph, version })
    return created
  } catch (cause) {
    await deleteWorkflow(projectId, id).catch(() => {})
    throw atSteps(cause, flow)
  }
}

/** The steps in the same order; the trigger gets the id that the server has given it. */
function withNewIds(graph: Graph, triggerId = freshId()): Graph {
  const trigger = triggerOf(graph)?.id
  const ids = new Map(graph.steps.map(({ id }) => [id, id === trigger ? triggerId : freshId()]))
  const named = (id: string): string => ids.get(id) ?? id
  return {
    steps: graph.steps.map((step) => ({ ...step, id: named(step.id) })),
    links: graph.links.map(({ from, branch, to }) => ({ from: named(from), branch, to: named(to) })),
  }
}
