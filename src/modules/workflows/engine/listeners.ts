import type { Db } from "../../../store/database.ts"
import { listEventNames } from "../store.ts"
import { listAwaited } from "./store.ts"

/** The most names kept for a project, whose workflows may change theirs without end; beyond that every name counts. */
const mostNames = 10_000
const every = Symbol("every name")

/**
 * The names of events that start workflows or that executions may wait for. Memory: names for `Subscriber.concerns`,
 * which must answer without a query. A name is added before the unit that needs it is committed and stays until the
 * process ends, so the answer may be true unnecessarily but never false by mistake: one process serves a folder
 * (`store/lock.ts`), and commands store every signal.
 */
export function createEventListeners() {
  const projects = new Map<string, Set<string> | typeof every>()

  function add(projectId: string, name: string): void {
    const names = projects.get(projectId) ?? new Set<string>()
    if (names === every) return
    projects.set(projectId, names.size < mostNames ? names.add(name) : every)
  }

  return {
    /** Called once, before the first request. */
    async open(db: Db): Promise<void> {
      const known = await listEventNames(db)
      for (const { projectId, name } of known) add(projectId, name)
      for (const projectId of new Set(known.map((each) => each.projectId)))
        for (const name of await listAwaited(db, projectId)) add(projectId, name)
    },
    add,
    concerns(projectId: string, name: string): boolean {
      const names = projects.get(projectId)
      return names === every || (names?.has(name) ?? false)
    },
  }
}

export type Listeners = ReturnType<typeof createEventListeners>
