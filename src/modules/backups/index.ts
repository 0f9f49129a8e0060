export type { Backups, BackupTools } from "./actions.ts"
export type { backupsSchema } from "./document.ts"
export { createBackups } from "./module.ts"
export { makeNewSecret } from "./new-secret.ts"
