import type { AlertState } from "../../kernel/alert-state.ts"
import type { Backup } from "./table.ts"

/** Whether the last completed backup failed, or exists on this machine only. `rows` have the newest first. */
export function backupAlertStates(rows: readonly Backup[]): AlertState[] {
  const last = rows.find(({ state }) => state !== "RUNNING")
  if (last === undefined) return []
  const reason = (last.reason ?? "").replace(/\.$/, "")
  const sentence =
    last.state === "FAILED"
      ? `The last backup failed: ${reason}. See This server, Backups.`
      : `The last backup is on this machine only: ${reason}. See This server, Backups.`
  return [{ key: "backup", active: last.reason !== null, sentence }]
}
