export { capture, capturedContent } from "./actions.ts"
export { createSandbox, sandboxKeys } from "./module.ts"
export { capturedTable, rawMessageTable } from "./table.ts"
