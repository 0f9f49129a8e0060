export type { Actor, Audit, AuditEntry } from "./audit.ts"
export { byServer, presentAudit } from "./audit.ts"
export { createAuditModule } from "./module.ts"
export { auditTable } from "./table.ts"
