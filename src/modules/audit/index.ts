export type { Actor, Audit, AuditEntry } from "./audit.ts"
export { byCaller, byServer, byVisitor, presentAudit } from "./audit.ts"
export { createAuditModule } from "./module.ts"
export { auditTable } from "./table.ts"
