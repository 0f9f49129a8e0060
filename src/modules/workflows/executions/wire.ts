import { type Static, Type as t } from "@sinclair/typebox"
import { about, anyObject, named } from "../../../http/openapi/describe.ts"
import { given, type Query, requiredChoiceIn } from "../../../http/page.ts"
import { optional, shape, text, withRules } from "../../../http/schema.ts"
import { iso, isoOrNull } from "../../../kernel/clock.ts"
import { type Fault, fault } from "../../../kernel/errors.ts"
import { isObject, jsonType } from "../../../kernel/json.ts"
import { dataFaults } from "../../contacts/index.ts"
import { plain } from "../graph.ts"
import { type ExecutionStatus, executionStatuses } from "../table.ts"
import type { WholeExecution } from "./actions.ts"
import type {
  contactExecutionSchema,
  executionSchema,
  flowSchema,
  stepExecutionSchema,
  wholeExecutionSchema,
} from "./document.ts"
import type { Flow } from "./flow.ts"
import type { ShownStepExecution } from "./steps.ts"
import type { ContactExecution, ExecutionFilter, ShownExecution } from "./store.ts"

const maxContextBytes = 64 * 1024

/** The body of `POST /workflows/{id}/executions` (contract B5.2.12). */
export const startBody = withRules(
  named(
    "WorkflowStart",
    shape({
      contactId: text({ form: "id" }),
      context: about("Variables of this execution, up to 64 KB.", optional(t.Unknown(anyObject()))),
    }),
    { contactId: "0199c0de-0000-7000-8000-00000000000a", context: { code: "A1" } },
  ),
  ({ context }) => contextFaults(context),
)

function contextFaults(context: unknown): Fault[] {
  if (context === undefined || context === null) return []
  if (!isObject(context)) return [fault("context", "invalid_type", "context must be an object.", jsonType(context))]
  const faults = dataFaults(context).map((each) => ({ ...each, field: "context" }))
  if (faults.length > 0) return faults
  return Buffer.byteLength(JSON.stringify(context)) <= maxContextBytes
    ? []
    : [fault("context", "too_big", `context must have at most ${maxContextBytes} bytes as JSON.`)]
}

/** The status in a query; an unrecognised one is 400 (contract B5.2.13). */
const statusIn = (query: Query): ExecutionStatus | undefined =>
  requiredChoiceIn("status", given(query.status), executionStatuses)

export const presentExecution = ({
  execution,
  email,
  currentStep,
}: ShownExecution): Static<typeof executionSchema> => ({
  id: execution.id,
  workflowId: execution.workflowId,
  contactId: execution.contactId,
  status: execution.status,
  currentStepId: execution.currentStepId,
  exitReason: execution.exitReason,
  context: execution.context,
  startedAt: iso(execution.startedAt),
  completedAt: isoOrNull(execution.completedAt),
  createdAt: iso(execution.createdAt),
  updatedAt: iso(execution.updatedAt),
  contact: { id: execution.contactId, email },
  currentStep,
})

/** The filters of a list (contract B5.2.13); `stepId` and `contactId` are ours. */
export const filterIn = (query: Query): ExecutionFilter => ({
  status: statusIn(query),
  stepId: idIn(query.stepId),
  contactId: idIn(query.contactId),
})

/** An invalid id matches nothing. */
const idIn = (sent: string | undefined): string | undefined => given(sent)?.toLowerCase()

export const presentOfContact = ({ shown, workflow }: ContactExecution): Static<typeof contactExecutionSchema> => ({
  ...presentExecution(shown),
  workflow,
})

export const presentFlow = ({ standing, passed }: Flow): Static<typeof flowSchema> => ({
  standing: [...standing],
  passed: passed.map(({ branch, ...counts }) => ({ ...counts, branch: branch === plain ? null : branch })),
})

const presentStepExecution = ({ stepExecution, step }: ShownStepExecution): Static<typeof stepExecutionSchema> => {
  const scheduledFor = isoOrNull(stepExecution.scheduledFor)
  return {
    id: stepExecution.id,
    executionId: stepExecution.executionId,
    stepId: stepExecution.stepId,
    status: stepExecution.status,
    scheduledFor,
    executeAfter: scheduledFor,
    output: stepExecution.output,
    error: stepExecution.error,
    startedAt: iso(stepExecution.startedAt),
    completedAt: isoOrNull(stepExecution.completedAt),
    step,
  }
}

export const presentWholeExecution = ({
  workflow,
  steps,
  ...shown
}: WholeExecution): Static<typeof wholeExecutionSchema> => ({
  ...presentExecution(shown),
  workflow,
  stepExecutions: steps.map(presentStepExecution),
})
