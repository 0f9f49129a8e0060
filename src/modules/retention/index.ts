export { createRetention } from "./module.ts"
export type { retentionSchema } from "./routes.ts"
