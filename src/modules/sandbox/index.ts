export { capture } from "./actions.ts"
export { createSandbox, type SandboxDeps, sandboxKeys } from "./module.ts"
