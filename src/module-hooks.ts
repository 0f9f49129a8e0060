import type { Module } from "./module.ts"
import type { Unit } from "./store/writer.ts"

/** What all modules do when a project is disabled, emptied or deleted, and before contacts are deleted. */
export type ModuleHooks = Required<
  Pick<Module, "disable" | "erase" | "eraseSome" | "eraseSomeOf" | "beforeContactDeletion" | "beforeDeletion">
>

type Erase<Whose> = (unit: Unit, whose: Whose, limit: number) => Promise<number>

/**
 * Goes through the modules from the last to the first, because rows of higher modules may refer to rows of lower ones.
 */
export function createModuleHooks(list: () => readonly Module[]): ModuleHooks {
  const inEach =
    (hook: "disable" | "erase" | "beforeDeletion"): NonNullable<Module["erase"]> =>
    async (unit, projectId) => {
      for (const module of list().toReversed()) await module[hook]?.(unit, projectId)
    }

  /** In the first module that deletes any. */
  const inFirst =
    <Whose>(hookOf: (module: Module) => Erase<Whose> | undefined): Erase<Whose> =>
    async (unit, whose, limit) => {
      for (const module of list().toReversed()) {
        const erased = await hookOf(module)?.(unit, whose, limit)
        if (erased) return erased
      }
      return 0
    }

  return {
    disable: inEach("disable"),
    erase: inEach("erase"),
    beforeDeletion: inEach("beforeDeletion"),
    eraseSome: inFirst((module) => module.eraseSome),
    eraseSomeOf: inFirst((module) => module.eraseSomeOf),
    async beforeContactDeletion(unit, projectId, contactId) {
      for (const module of list().toReversed()) await module.beforeContactDeletion?.(unit, projectId, contactId)
    },
  }
}
