import type { Module } from "./module.ts"

/** What all modules do when a project is disabled, emptied or deleted. */
export type ProjectHooks = Required<Pick<Module, "disable" | "erase" | "eraseSome" | "beforeDeletion">>

/** Higher modules may refer to rows of lower ones, so theirs come first. `list` has the lower ones first. */
export function createProjectHooks(list: () => readonly Module[]): ProjectHooks {
  const inEach =
    (hook: "disable" | "erase" | "beforeDeletion"): NonNullable<Module["erase"]> =>
    async (unit, projectId) => {
      for (const module of list().toReversed()) await module[hook]?.(unit, projectId)
    }
  return {
    disable: inEach("disable"),
    erase: inEach("erase"),
    beforeDeletion: inEach("beforeDeletion"),
    /** In the first module that has any left. */
    async eraseSome(unit, projectId, limit) {
      for (const module of list().toReversed()) {
        const erased = await module.eraseSome?.(unit, projectId, limit)
        if (erased) return erased
      }
      return 0
    },
  }
}
