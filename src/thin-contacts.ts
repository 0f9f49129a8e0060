import type { Module } from "./module.ts"

export type ThinContacts = NonNullable<Module["thinContacts"]>

/** Deletes rows of contacts in the first module that has too many of them. Higher modules come first. */
export const createThinContacts =
  (list: () => readonly Module[]): ThinContacts =>
  async (unit, contactIds, limit) => {
    for (const module of list().toReversed()) {
      const deleted = await module.thinContacts?.(unit, contactIds, limit)
      if (deleted) return deleted
    }
    return 0
  }
