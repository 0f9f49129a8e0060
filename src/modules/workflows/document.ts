import { type Static, Type as t } from "@sinclair/typebox"
import { about, anyObject, id, named, oneOf, orNull, time } from "../../http/openapi/describe.ts"
import { stepTypes, triggerTypes } from "./table.ts"

const workflowFields = {
  id: id(),
  name: t.String(),
  description: orNull(t.String()),
  enabled: about("Whether it can be started.", t.Boolean()),
  triggerType: oneOf(triggerTypes),
  triggerConfig: about("The `eventName` that starts it; empty for `MANUAL`.", anyObject()),
  allowReentry: about("Whether a contact that was in it before can start it again.", t.Boolean()),
  projectId: id(),
  version: about("Increases with each change of the graph.", t.Integer()),
  createdAt: time(),
  updatedAt: time(),
}

export const workflowSchema = named("Workflow", t.Object(workflowFields))

export const workflowExample: Static<typeof workflowSchema> = {
  id: "0199c0de-0000-7000-8000-0000000000a1",
  name: "Welcome",
  description: null,
  enabled: false,
  triggerType: "EVENT",
  triggerConfig: { eventName: "signup" },
  allowReentry: false,
  projectId: "0199c0de-0000-7000-8000-000000000001",
  version: 3,
  createdAt: "2026-01-31T09:15:00.000Z",
  updatedAt: "2026-01-31T09:15:00.000Z",
}

export const transitionSchema = named(
  "WorkflowTransition",
  t.Object({
    id: id(),
    workflowId: id(),
    fromStepId: id(),
    toStepId: id(),
    condition: about("The `branch` once more; null for a plain transition.", orNull(anyObject())),
    branch: about("The exit of the step it starts from.", orNull(t.String())),
    priority: t.Integer(),
    createdAt: time(),
    updatedAt: time(),
  }),
)

export const transitionExample: Static<typeof transitionSchema> = {
  id: "0199c0de-0000-7000-8000-0000000000a4",
  workflowId: workflowExample.id,
  fromStepId: "0199c0de-0000-7000-8000-0000000000a2",
  toStepId: "0199c0de-0000-7000-8000-0000000000a3",
  condition: null,
  branch: null,
  priority: 0,
  createdAt: "2026-01-31T09:15:00.000Z",
  updatedAt: "2026-01-31T09:15:00.000Z",
}

export const stepSchema = named(
  "WorkflowStep",
  t.Object({
    id: id(),
    workflowId: id(),
    type: oneOf(stepTypes),
    name: t.String(),
    position: t.Object({ x: t.Number(), y: t.Number() }),
    config: anyObject(),
    templateId: orNull(id()),
    template: orNull(t.Object({ id: id(), name: t.String() })),
    createdAt: time(),
    updatedAt: time(),
    outgoingTransitions: t.Array(transitionSchema),
    incomingTransitions: t.Array(transitionSchema),
  }),
)

export const stepExample: Static<typeof stepSchema> = {
  id: transitionExample.toStepId,
  workflowId: workflowExample.id,
  type: "DELAY",
  name: "Wait a day",
  position: { x: 100, y: 200 },
  config: { amount: 1, unit: "days" },
  templateId: null,
  template: null,
  createdAt: "2026-01-31T09:15:00.000Z",
  updatedAt: "2026-01-31T09:15:00.000Z",
  outgoingTransitions: [],
  incomingTransitions: [transitionExample],
}

export const listedSchema = named(
  "ListedWorkflow",
  t.Object({
    ...workflowFields,
    _count: t.Object({
      steps: t.Integer(),
      executions: t.Integer(),
      active: about("Executions that have not ended.", t.Integer()),
    }),
  }),
)

export const listedExample: Static<typeof listedSchema> = {
  ...workflowExample,
  _count: { steps: 2, executions: 0, active: 0 },
}

export const wholeSchema = named(
  "WholeWorkflow",
  t.Object({
    ...workflowFields,
    steps: t.Array(stepSchema),
    transitions: t.Array(transitionSchema),
    draftVersion: about("The version of its draft; null when there is none.", orNull(t.Integer())),
  }),
)

export const wholeExample: Static<typeof wholeSchema> = {
  ...workflowExample,
  steps: [stepExample],
  transitions: [transitionExample],
  draftVersion: null,
}

export const replacedSchema = named(
  "ReplacedWorkflow",
  t.Object({
    ...wholeSchema.properties,
    ids: about("The ids that were sent and are others now.", t.Record(t.String(), id())),
  }),
)

export const replacedExample: Static<typeof replacedSchema> = {
  ...wholeExample,
  ids: { "new-delay": stepExample.id },
}
