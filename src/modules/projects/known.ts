import { LRUCache } from "lru-cache"
import type { ProjectRef } from "../../http/auth.ts"
import type { Store } from "../../store/store.ts"
import type { Unit } from "../../store/writer.ts"

const mostKnown = 1_000

/**
 * Projects by their keys, in memory, because every request asks for one. All are forgotten when this process changes a
 * project, before that is acknowledged, and when another process, such as a command, has committed anything. Unknown keys
 * are not remembered.
 */
export function createKnownProjects({ changesOfOthers }: Pick<Store, "changesOfOthers">) {
  const known = new LRUCache<string, ProjectRef>({ max: mostKnown })
  let others: number | undefined
  /** Incremented when all are forgotten: what was read before that is not remembered. */
  let epoch = 0

  function clear(): void {
    epoch++
    if (known.size > 0) known.clear()
  }

  return {
    /** A project by a name for its key, from memory or by `load`. */
    async find(name: string, load: () => Promise<ProjectRef | undefined>): Promise<ProjectRef | undefined> {
      const now = changesOfOthers()
      if (now !== others) clear()
      others = now
      const found = known.get(name)
      if (found !== undefined) return found
      const began = epoch
      const loaded = await load()
      if (loaded !== undefined && epoch === began) known.set(name, loaded)
      return loaded
    },

    /** To be called in each unit that changes or deletes a project. */
    forget(unit: Unit): void {
      clear()
      unit.afterCommit(clear)
    },
  }
}

export type KnownProjects = ReturnType<typeof createKnownProjects>
