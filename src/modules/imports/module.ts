import type { Engine } from "../../engine.ts"
import { reasonOf } from "../../kernel/log.ts"
import type { Module } from "../../module.ts"
import type { Files } from "../../store/files.ts"
import type { Contacts } from "../contacts/index.ts"
import { createImportActions } from "./actions.ts"
import { createImportJobs } from "./jobs.ts"
import { importRoutes } from "./routes.ts"
import { importJobs } from "./store.ts"
import { openUploads } from "./uploads.ts"

interface ImportDeps {
  readonly contacts: Contacts
  readonly files: Files
}

/** Contacts from CSV files: the upload, the job that merges it, and its report. */
export function createImports(engine: Pick<Engine, "store" | "ids" | "jobs" | "log">, { contacts, files }: ImportDeps) {
  const { store } = engine
  const uploads = openUploads(files)
  const actions = createImportActions(engine, uploads)
  return {
    name: "imports",
    actions,
    routes: (protect) => importRoutes(actions, protect),
    ...createImportJobs(engine, { contacts, uploads }),
    /** Uploads left behind by a crash are removed at the next start. */
    async erase(unit, projectId): Promise<void> {
      const erased = await importJobs.erase(unit, projectId)
      unit.afterCommit(() => {
        for (const id of erased)
          uploads
            .remove(id)
            .catch((cause) => engine.log.warn("An upload could not be removed", { id, reason: reasonOf(cause) }))
      })
    },
    /** Removes uploads whose import has ended, or was never stored. */
    open: async () => uploads.removeAllBut(await importJobs.listUnfinished(store.read)),
  } satisfies Module
}
