export type { Reputation } from "./actions.ts"
export type { securityReportSchema } from "./document.ts"
export { createReputation } from "./module.ts"
