export { listedSchema, wholeSchema, workflowSchema } from "./document.ts"
export { draftSchema, versionsSchema } from "./drafts/document.ts"
export { audienceSchema, fieldsSchema } from "./editor-routes.ts"
export {
  contactExecutionSchema,
  executionSchema,
  flowSchema,
  stepExecutionSchema,
  wholeExecutionSchema,
} from "./executions/document.ts"
export { createWorkflows, type Workflows } from "./module.ts"
export { executionEnded, stepStarted } from "./signals.ts"
export { simulationSchema } from "./simulation/document.ts"
export { simulationBody } from "./simulation/wire.ts"
export {
  type Execution,
  type ExecutionStatus,
  executionTable,
  type StepExecutionStatus,
  type StepType,
  stepExecutionTable,
  stepTable,
  transitionTable,
  workflowTable,
} from "./table.ts"
export { newWorkflowBody, workflowChangeBody } from "./wire.ts"
