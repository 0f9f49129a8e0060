import type { Static } from "@sinclair/typebox"
import { iso } from "../../kernel/clock.ts"
import type { WholeWorkflow } from "./actions.ts"
import type { listedSchema, stepSchema, transitionSchema, wholeSchema, workflowSchema } from "./document.ts"
import type { ExecutionCounts } from "./executions/store.ts"
import { plain } from "./graph.ts"
import type { ConnectedStep } from "./graph-actions.ts"
import type { ListedWorkflow } from "./store.ts"
import type { Transition, Workflow } from "./table.ts"

export const presentWorkflow = (workflow: Workflow): Static<typeof workflowSchema> => ({
  id: workflow.id,
  name: workflow.name,
  description: workflow.description,
  enabled: workflow.enabled,
  triggerType: workflow.triggerType,
  triggerConfig: workflow.eventName === null ? {} : { eventName: workflow.eventName },
  allowReentry: workflow.allowReentry,
  projectId: workflow.projectId,
  version: workflow.version,
  createdAt: iso(workflow.createdAt),
  updatedAt: iso(workflow.updatedAt),
})

export const presentListed = ({
  workflow,
  steps,
  executions,
  active,
}: ListedWorkflow & ExecutionCounts): Static<typeof listedSchema> => ({
  ...presentWorkflow(workflow),
  _count: { steps, executions, active },
})

export const presentTransition = (transition: Transition): Static<typeof transitionSchema> => ({
  id: transition.id,
  workflowId: transition.workflowId,
  fromStepId: transition.fromStepId,
  toStepId: transition.toStepId,
  condition: transition.branch === plain ? null : { branch: transition.branch },
  branch: transition.branch === plain ? null : transition.branch,
  priority: transition.priority,
  createdAt: iso(transition.createdAt),
  updatedAt: iso(transition.updatedAt),
})

export function presentStep({ step, transitions, templateNames }: ConnectedStep): Static<typeof stepSchema> {
  const { id, templateId } = step
  const templateName = templateId === null ? undefined : templateNames.get(templateId)
  return {
    id,
    workflowId: step.workflowId,
    type: step.type,
    name: step.name,
    position: step.position,
    config: step.config,
    templateId,
    template: templateId === null || templateName === undefined ? null : { id: templateId, name: templateName },
    createdAt: iso(step.createdAt),
    updatedAt: iso(step.updatedAt),
    outgoingTransitions: transitions.filter(({ fromStepId }) => fromStepId === id).map(presentTransition),
    incomingTransitions: transitions.filter(({ toStepId }) => toStepId === id).map(presentTransition),
  }
}

export function presentWhole({ workflow, draft, ...graph }: WholeWorkflow): Static<typeof wholeSchema> {
  // A search for those of each step would take steps times transitions.
  const from = Map.groupBy(graph.transitions, ({ fromStepId }) => fromStepId)
  const to = Map.groupBy(graph.transitions, ({ toStepId }) => toStepId)
  const at = (id: string): Transition[] => [...(from.get(id) ?? []), ...(to.get(id) ?? [])]
  return {
    ...presentWorkflow(workflow),
    steps: graph.steps.map((step) => presentStep({ ...graph, step, transitions: at(step.id) })),
    transitions: graph.transitions.map(presentTransition),
    draftVersion: draft?.revision ?? null,
  }
}
