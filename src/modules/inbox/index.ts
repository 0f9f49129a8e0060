export { createInbox } from "./module.ts"
export type { inboxMailSchema, inboxRowSchema, unreadSchema } from "./wire.ts"
