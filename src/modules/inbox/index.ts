export { createInbox } from "./module.ts"
export { inboxMarkTable, inboxStateTable, inboxTextTable } from "./table.ts"
export type { inboxMailSchema, inboxRowSchema, unreadSchema } from "./wire.ts"
