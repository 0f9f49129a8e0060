export { createWorkflows, type Workflows } from "./module.ts"
export { executionEnded, stepStarted } from "./signals.ts"
export { stepTable, transitionTable, workflowTable } from "./table.ts"
