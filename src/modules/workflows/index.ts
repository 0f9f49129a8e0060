export { createWorkflows, type Workflows } from "./module.ts"
export { stepTable, transitionTable, workflowTable } from "./table.ts"
