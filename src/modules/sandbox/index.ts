export { capture } from "./actions.ts"
export { createSandbox, sandboxKeys } from "./module.ts"
