export { createBulk } from "./module.ts"
export type { bulkSchema } from "./wire.ts"
