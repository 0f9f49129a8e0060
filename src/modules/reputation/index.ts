export type { Reputation } from "./actions.ts"
export { createReputation } from "./module.ts"
