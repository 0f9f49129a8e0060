import type { Store } from "../../../store/store.ts"
import { type Check, fail, ok, warn } from "../check.ts"

/** The file of the database, and whether there is a copy of it. */
export const databaseChecks = ({ faults }: Pick<Store, "faults">): Check[] => [
  {
    name: "database",
    async run(abort) {
      const late = new Promise<"late">((resolve) => abort.addEventListener("abort", () => resolve("late")))
      const found = await Promise.race([faults(), late])
      if (found === "late") return warn("The database is too large to be checked in this time.")
      if (found.length === 0) return ok("The database is sound.")
      return fail(`The database is damaged (${found[0]}): stop the server and restore a backup.`)
    },
  },
  {
    name: "backups",
    run: () => warn("No backup is scheduled: run mailstead backup every day and keep the file on another machine."),
  },
]
