import type { Module } from "./module.ts"
import { inSlices } from "./store/slices.ts"
import type { Store } from "./store/store.ts"

/** What all modules do when a project is disabled, emptied or deleted. */
export interface ProjectHooks extends Required<Pick<Module, "disable" | "erase" | "beforeDeletion">> {
  /** Deletes what a project may have much of, in short units. */
  readonly eraseMost: (projectId: string) => Promise<void>
}

/** Rows of one unit: each has entries in several indexes, and triggers that keep counts. */
const sliceSize = 500

/** Higher modules may refer to rows of lower ones, so theirs come first. `list` has the lower ones first. */
export function createProjectHooks(store: Pick<Store, "write">, list: () => readonly Module[]): ProjectHooks {
  const inEach =
    (hook: "disable" | "erase" | "beforeDeletion"): NonNullable<Module["erase"]> =>
    async (unit, projectId) => {
      for (const module of list().toReversed()) await module[hook]?.(unit, projectId)
    }
  return {
    disable: inEach("disable"),
    erase: inEach("erase"),
    beforeDeletion: inEach("beforeDeletion"),
    async eraseMost(projectId) {
      for (const { eraseSome } of list().toReversed())
        if (eraseSome)
          await inSlices(store, projectId, (unit, limit) => eraseSome(unit, projectId, limit), { size: sliceSize })
    },
  }
}
