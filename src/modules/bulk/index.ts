export type { Bulk } from "./actions.ts"
export { createBulk } from "./module.ts"
export type { bulkBody, bulkSchema } from "./wire.ts"
