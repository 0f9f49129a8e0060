import { type Static, Type as t } from "@sinclair/typebox"
import { about, anyObject, id, named, oneOf, orNull, time } from "../../../http/openapi/describe.ts"
import { executionStatuses, stepExecutionStatuses, stepTypes } from "../table.ts"

const stepRef = t.Object({ id: id(), name: t.String(), type: oneOf(stepTypes) })

const executionFields = {
  id: id(),
  workflowId: id(),
  contactId: id(),
  status: oneOf(executionStatuses),
  currentStepId: about("Null at the end.", orNull(id())),
  exitReason: about("Why it ended, if it ended otherwise than at the end of its way.", orNull(t.String())),
  context: about("The data of the event, or of the request, that started it.", anyObject()),
  startedAt: time(),
  completedAt: orNull(time()),
  createdAt: time(),
  updatedAt: time(),
  contact: t.Object({ id: id(), email: t.String() }),
  currentStep: orNull(stepRef),
}

export const executionSchema = named("WorkflowExecution", t.Object(executionFields))

export const executionExample: Static<typeof executionSchema> = {
  id: "0199c0de-0000-7000-8000-0000000000b1",
  workflowId: "0199c0de-0000-7000-8000-0000000000a1",
  contactId: "0199c0de-0000-7000-8000-00000000000a",
  status: "WAITING",
  currentStepId: "0199c0de-0000-7000-8000-0000000000a3",
  exitReason: null,
  context: { plan: "pro" },
  startedAt: "2026-01-31T09:15:00.000Z",
  completedAt: null,
  createdAt: "2026-01-31T09:15:00.000Z",
  updatedAt: "2026-01-31T09:15:00.000Z",
  contact: { id: "0199c0de-0000-7000-8000-00000000000a", email: "ada@example.com" },
  currentStep: { id: "0199c0de-0000-7000-8000-0000000000a3", name: "Wait a day", type: "DELAY" },
}

export const stepExecutionSchema = named(
  "WorkflowStepExecution",
  t.Object({
    id: id(),
    executionId: id(),
    stepId: id(),
    status: oneOf(stepExecutionStatuses),
    scheduledFor: about("When a step that rests goes on by itself.", orNull(time())),
    executeAfter: about("`scheduledFor` once more.", orNull(time())),
    output: about(
      "With `omitted` it is what is left of a long one: together those of an execution have 1 MB at most, the newest first.",
      orNull(anyObject()),
    ),
    error: orNull(t.String()),
    startedAt: time(),
    completedAt: orNull(time()),
    step: stepRef,
  }),
)

const stepExecutionExample: Static<typeof stepExecutionSchema> = {
  id: "0199c0de-0000-7000-8000-0000000000b2",
  executionId: executionExample.id,
  stepId: "0199c0de-0000-7000-8000-0000000000a3",
  status: "SCHEDULED",
  scheduledFor: "2026-02-01T09:15:00.000Z",
  executeAfter: "2026-02-01T09:15:00.000Z",
  output: null,
  error: null,
  startedAt: "2026-01-31T09:15:00.000Z",
  completedAt: null,
  step: { id: "0199c0de-0000-7000-8000-0000000000a3", name: "Wait a day", type: "DELAY" },
}

export const wholeExecutionSchema = named(
  "WholeWorkflowExecution",
  t.Object({
    ...executionFields,
    workflow: t.Object({ id: id(), name: t.String() }),
    stepExecutions: about("In the order of their start.", t.Array(stepExecutionSchema)),
  }),
)

export const wholeExecutionExample: Static<typeof wholeExecutionSchema> = {
  ...executionExample,
  workflow: { id: executionExample.workflowId, name: "Welcome" },
  stepExecutions: [stepExecutionExample],
}

const workflowRef = t.Object({ id: id(), name: t.String() })

export const contactExecutionSchema = named(
  "ContactWorkflowExecution",
  t.Object({ ...executionFields, workflow: workflowRef }),
)

export const contactExecutionExample: Static<typeof contactExecutionSchema> = {
  ...executionExample,
  workflow: { id: executionExample.workflowId, name: "Welcome" },
}

export const flowSchema = named(
  "WorkflowFlow",
  t.Object({
    standing: about(
      "How many contacts stand on each step, without those on which none does.",
      t.Array(t.Object({ stepId: id(), contacts: t.Integer() })),
    ),
    passed: about(
      "How often each exit was taken; a contact that takes it again counts again.",
      t.Array(
        t.Object({
          stepId: id(),
          branch: about("Null for the plain exit.", orNull(t.String())),
          last7Days: t.Integer(),
          last30Days: t.Integer(),
        }),
      ),
    ),
  }),
)

export const flowExample: Static<typeof flowSchema> = {
  standing: [{ stepId: executionExample.currentStepId ?? "", contacts: 12 }],
  passed: [{ stepId: executionExample.currentStepId ?? "", branch: null, last7Days: 40, last30Days: 160 }],
}
