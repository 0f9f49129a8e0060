export type { Reports } from "./actions.ts"
export { createReports } from "./module.ts"
