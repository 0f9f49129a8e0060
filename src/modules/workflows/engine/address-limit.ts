import { LRUCache } from "lru-cache"
import { hour } from "../../../kernel/clock.ts"
import { withoutTag } from "../../../kernel/email-address.ts"
import type { Unit } from "../../../store/writer.ts"
import { startsPerHour } from "./store.ts"

/** Mails of all workflows of a project to one address that data has named, in an hour (contract B5.4.11). */
export const mailsPerHour = startsPerHour
const maxAddresses = 10_000

/**
 * Limits mail to addresses that come from data, through which a visitor with the public key could direct the mails of
 * many contacts to anybody. In memory, because an index of recipients would slow down every mail; a restart allows some
 * more. Beyond its capacity, the addresses mailed longest ago are forgotten.
 */
export function createAddressLimit() {
  const mailed = new LRUCache<string, readonly number[]>({ max: maxAddresses })
  /** Mails of units that are not committed yet. */
  const pending = new WeakMap<Unit, Map<string, number>>()

  const keyOf = (projectId: string, address: string) => `${projectId} ${withoutTag(address)}`

  /** The clock may have been set back meanwhile. */
  const recentTo = (key: string, now: number): readonly number[] =>
    mailed.get(key)?.filter((at) => at > now - hour && at <= now) ?? []

  return {
    /** Whether a unit may mail an address, in canonical form. */
    allows(unit: Unit, projectId: string, address: string): boolean {
      const key = keyOf(projectId, address)
      return recentTo(key, unit.now).length + (pending.get(unit)?.get(key) ?? 0) < mailsPerHour
    },

    /** A unit has stored a mail to an address; it counts once the unit is committed. */
    note(unit: Unit, projectId: string, address: string): void {
      const key = keyOf(projectId, address)
      const own = pending.get(unit) ?? new Map<string, number>()
      pending.set(unit, own.set(key, (own.get(key) ?? 0) + 1))
      unit.afterCommit(() => {
        own.delete(key)
        mailed.set(key, [...recentTo(key, unit.now), unit.now])
      })
    },
  }
}
