import { createRowCache } from "../../store/row-cache.ts"
import type { Store } from "../../store/store.ts"
import { findOwner } from "./store.ts"

/** Caches which project a domain belongs to, because every mail sent or received needs it. */
export function createDomainOwners(store: Pick<Store, "read" | "changesOfOthers">) {
  const cache = createRowCache<Awaited<ReturnType<typeof findOwner>>>(store)
  return {
    /** The project that has added a domain, and whether it is verified; undefined when none has. */
    of: async (domain: string) => (await cache.find(domain, () => findOwner(store.read, { domain })))?.[0],
    /** To be called in each unit that adds, changes or deletes a domain. */
    forget: cache.forget,
  }
}

export type DomainOwners = ReturnType<typeof createDomainOwners>
