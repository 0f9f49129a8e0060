import { type Clock, day } from "../../../kernel/clock.ts"
import type { Store } from "../../../store/store.ts"
import type { Backups } from "../../backups/index.ts"
import { type Check, clause, fail, ok, warn } from "../check.ts"

interface DatabaseDeps {
  readonly store: Pick<Store, "faults">
  readonly clock: Clock
  readonly backups: Pick<Backups, "list" | "folderFault">
  /** Whether the server takes backups by itself. */
  readonly isScheduled: boolean
}

/** Older than this, a daily backup has been missed. */
const oldBackupMs = 2 * day

/** The file of the database, and whether there is a copy of it. */
export const databaseChecks = ({ store: { faults }, clock, backups, isScheduled }: DatabaseDeps): Check[] => [
  {
    name: "database",
    late: warn("The database is too large to be checked in this time."),
    async run() {
      const found = await faults()
      if (found.length === 0) return ok("The database is sound.")
      return fail(`The database is damaged (${found[0]}): stop the server and restore a backup.`)
    },
  },
  {
    name: "backups",
    async run() {
      const [last] = (await backups.list()).filter(({ state }) => state !== "RUNNING")
      if (last?.state === "FAILED")
        return fail(`The last backup failed (${clause(last.reason ?? "")}): see This server, Backups.`)
      if (last?.reason)
        return fail(`The last backup is on this machine only (${clause(last.reason)}): see This server, Backups.`)
      const fault = isScheduled ? backups.folderFault() : undefined
      if (fault) return fail(`The next backup will fail: ${fault}`)
      if (last?.endedAt && last.endedAt < clock.now() - oldBackupMs)
        return warn(`The last backup ended ${Math.floor((clock.now() - last.endedAt) / day)} days ago: take one now.`)
      if (!isScheduled)
        return warn(
          "No backup is scheduled: set backup.schedule, or run mailstead backup every day and keep the file on another machine.",
        )
      return last === undefined
        ? ok("Backups are scheduled; the first one is still to come.")
        : ok("The last backup is recent.")
    },
  },
]
