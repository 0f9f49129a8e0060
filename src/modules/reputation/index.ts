export type { securityReportSchema } from "./document.ts"
export { createReputation } from "./module.ts"
