import { ApiError } from "../../../api/http.ts"
import { noRefusal, refusalOf } from "../../../api/refusal.ts"
import { changeWorkflow, type Workflow } from "../../../api/workflows.ts"
import { type Draft, type DraftKind, useDraft } from "../../../parts/draft/use-draft.ts"
import { cacheWorkflow } from "../../../queries/workflows.ts"
import { type EditedWorkflow, loadEdited } from "./edited.ts"
import type { Flow, WorkflowContent } from "./flow.ts"
import { type Graph, graphOf } from "./model/graph.ts"
import { createWithGraph, saveGraph } from "./store-graph.ts"

export type WorkflowDraft = Draft<EditedWorkflow, WorkflowContent>

const eventNameOf = ({ triggerConfig }: Workflow): string =>
  typeof triggerConfig.eventName === "string" ? triggerConfig.eventName : ""

export const contentOf = (
  { workflow, draft }: Pick<EditedWorkflow, "workflow" | "draft">,
  before?: WorkflowContent,
): WorkflowContent => {
  const flow: Flow = {
    triggerType: workflow.triggerType,
    eventName: eventNameOf(workflow),
    allowReentry: workflow.allowReentry,
    ...graphOf(draft ?? workflow),
  }
  return {
    name: workflow.name,
    description: workflow.description ?? "",
    flow: before && isSame(before.flow, flow) ? before.flow : flow,
  }
}

const sorted = (graph: Graph) => [
  graph.steps.map(({ id, type, name, config, templateId }) => [id, type, name, sortedKeys(config), templateId]),
  graph.links.map(({ from, branch, to }) => `${from} ${branch} ${to}`).sort(),
]

const sortedKeys = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sortedKeys)
    : typeof value === "object" && value !== null
      ? Object.entries(value)
          .filter(([, part]) => part !== undefined)
          .sort(([one], [other]) => (one < other ? -1 : 1))
          .map(([key, part]) => [key, sortedKeys(part)])
      : value

const isSameGraph = (one: Graph, other: Graph): boolean =>
  one === other || JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))

const isSame = (one: Flow, other: Flow): boolean =>
  Object.keys(changedFields(one, other)).length === 0 && isSameGraph(one, other)

/** What is sent of the start of the workflow: what differs. */
function changedFields(wanted: Flow, stored: Flow) {
  const isOther = wanted.triggerType !== stored.triggerType || wanted.eventName.trim() !== stored.eventName
  const trigger =
    wanted.triggerType === "EVENT"
      ? { triggerType: wanted.triggerType, triggerConfig: { eventName: wanted.eventName.trim() } }
      : { triggerType: wanted.triggerType }
  return {
    ...(isOther ? trigger : {}),
    ...(wanted.allowReentry === stored.allowReentry ? {} : { allowReentry: wanted.allowReentry }),
  }
}

function changesOf(content: WorkflowContent, base: EditedWorkflow) {
  const stored = contentOf(base)
  const description = content.description.trim()
  return {
    ...(content.name.trim() === stored.name ? {} : { name: content.name.trim() }),
    ...(description === stored.description ? {} : { description: description || null }),
    ...changedFields(content.flow, stored.flow),
  }
}

const isOtherGraph = (content: WorkflowContent, base: EditedWorkflow): boolean =>
  !isSameGraph(content.flow, graphOf(base.draft ?? base.workflow))

const kind: DraftKind<EditedWorkflow, WorkflowContent, EditedWorkflow> = {
  noun: "workflow",
  pathOf: ({ id }) => `/workflows/${id}`,
  contentOf,
  isChanged: (content, base) => Object.keys(changesOf(content, base)).length > 0 || isOtherGraph(content, base),
  lacks: ({ name }) => (name.trim() === "" ? { ...noRefusal, faults: { name: "Give it a name." } } : null),
  load: loadEdited,
  async save(projectId, content, stored) {
    const changes = changesOf(content, stored)
    const isOther = isOtherGraph(content, stored)
    if (Object.keys(changes).length > 0) await changeWorkflow(projectId, stored.id, changes)
    // another trigger is a change of the graph too
    const version = stored.workflow.version + ("triggerType" in changes ? 1 : 0)
    if (isOther) await saveGraph(projectId, content.flow, stored, version)
    return loadEdited(projectId, stored.id)
  },
  async createAgain(projectId, content) {
    const { id } = await createWithGraph(projectId, content)
    return loadEdited(projectId, id)
  },
  cache: cacheWorkflow,
  // turning it on or off elsewhere loses nothing, nor does what was saved before the graph was refused
  isContested(base, stored, content) {
    const [others, ours] = [changesOf(contentOf(base), stored), changesOf(content, stored)]
    const isSaved = (name: string): boolean => !(name in ours)
    const version = base.workflow.version + ("triggerType" in others && isSaved("triggerType") ? 1 : 0)
    return (
      version !== stored.workflow.version ||
      base.draft?.version !== stored.draft?.version ||
      !Object.keys(others).every(isSaved)
    )
  },
  refusalOf(cause) {
    const sent = cause instanceof ApiError ? cause.faults.map(({ field }) => field) : []
    return refusalOf(cause, { fields: ["name", "description", ...sent] })
  },
}

export const useWorkflowDraft = (item: EditedWorkflow, isGone: boolean): WorkflowDraft => useDraft(item, kind, isGone)
