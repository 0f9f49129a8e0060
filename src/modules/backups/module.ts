import type { Module } from "../../module.ts"
import { type BackupDeps, type BackupEngine, createBackupActions } from "./actions.ts"
import { backupAlertStates } from "./alert-states.ts"
import { createBackupJobs } from "./jobs.ts"
import { backupRoutes } from "./routes.ts"

/** Backups that the server takes by itself, and the pause of sending after one was restored. */
export function createBackups(engine: BackupEngine, deps: BackupDeps) {
  const actions = createBackupActions(engine, deps)
  return {
    name: "backups",
    actions,
    routes: (protect) => backupRoutes(actions, engine, protect),
    ...createBackupJobs(actions, engine.config.backup.schedule),
    open: actions.endInterrupted,
    alertStates: async () => backupAlertStates(await actions.list()),
  } satisfies Module
}
