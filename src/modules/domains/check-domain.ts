import type { Engine } from "../../engine.ts"
import type { Dns } from "../../net/dns.ts"
import type { Unit } from "../../store/writer.ts"
import { afterLookup, type createDkimKeys } from "./dkim-keys.ts"
import type { Identities } from "./identities.ts"
import { lookUp } from "./look-up.ts"
import type { DomainOwners } from "./owners.ts"
import { recordKeyOf } from "./records.ts"
import { afterCheck, missing } from "./rules.ts"
import { findDomain, saveDomain } from "./store.ts"
import type { Domain } from "./table.ts"
import type { Descriptions, DomainWithRecords } from "./with-records.ts"

interface DomainCheckDeps extends Pick<Descriptions, "keysOf" | "describe" | "withUse" | "withRecords"> {
  readonly dns: Dns
  readonly dkim: Pick<ReturnType<typeof createDkimKeys>, "settle">
  readonly identities: Identities
  readonly owners: Pick<DomainOwners, "forget">
  /** Schedules the removal of a deleted domain from the providers. */
  readonly planRelease: (unit: Unit, domain: Domain) => Promise<void>
}

/** Checks which records of a domain are published, and its state at the providers (contract B6.7). */
export function createDomainCheck({ store }: Pick<Engine, "store">, deps: DomainCheckDeps) {
  const { dns, dkim, identities, owners, planRelease, keysOf, describe, withUse, withRecords } = deps

  /** Registers a domain at the providers if needed, and stores its state there. */
  async function askProviders(domain: Domain, recent?: "recent"): Promise<{ domain: Domain; isAnswered: boolean }> {
    const { identities: found, isAnswered } = await identities.ask(domain, recent)
    if (JSON.stringify(found) === JSON.stringify(domain.identities)) return { domain, isAnswered }
    const saved = await store.write(domain.projectId, async (unit) => {
      const row = await saveDomain(unit, domain.id, { identities: found })
      // The domain was deleted meanwhile, and may have been registered again after its removal from the providers.
      if (row === undefined) await planRelease(unit, { ...domain, identities: found })
      return row
    })
    return { domain: saved ?? missing(domain.id), isAnswered }
  }

  /**
   * Looks up the records and stores the result. A domain that the operator verified is left alone. With `recent` a
   * provider that has verified it lately is not asked again.
   */
  async function check(given: Domain, recent?: "recent"): Promise<DomainWithRecords> {
    if (given.vouched) return withRecords(given)
    const { domain, isAnswered } = await askProviders(given, recent)
    const keys = await keysOf(domain)
    const before = describe(domain, keys)
    // Without the answer of a provider nothing changes (contract B6.7).
    if (!isAnswered) return withUse(before)
    const isReady = identities.of(domain).every(({ status }) => status === "VERIFIED")
    const lookups = await lookUp(dns, before.records)
    const rotation = afterLookup(keys, ({ selector }) => lookups.get(recordKeyOf(selector))?.matches)
    const known = describe(domain, rotation.keys)
    const saved = await store.write(domain.projectId, async (unit) => {
      const now = await findDomain(unit.db, domain.projectId, domain.id)
      if (now === undefined) return missing(domain.id)
      if (now.vouched) return now
      const state = afterCheck(now, known.records, lookups, { now: unit.now, isReady })
      await dkim.settle(unit, domain.id, rotation)
      owners.forget(unit)
      const isNews = state.status !== now.status || JSON.stringify(state.checks) !== JSON.stringify(now.checks)
      return saveDomain(unit, domain.id, { ...state, ...(isNews && { updatedAt: unit.now }) })
    })
    return withUse({ ...known, domain: saved ?? missing(domain.id) })
  }

  return { askProviders, check }
}
