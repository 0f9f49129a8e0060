export { capture } from "./actions.ts"
export type { clockSchema, clockTurnSchema } from "./clock/wire.ts"
export { createSandbox, type SandboxDeps, sandboxKeys } from "./module.ts"
