import type { Engine } from "../../engine.ts"
import type { Reference } from "../../references.ts"
import type { Db } from "../../store/database.ts"
import type { createDkimKeys } from "./dkim-keys.ts"
import type { Identities } from "./identities.ts"
import { type ExpectedRecord, expectedRecords } from "./records.ts"
import { listKeys } from "./store.ts"
import type { DkimKey, Domain } from "./table.ts"

/** A domain with the records it should have. */
export interface DomainWithRecords {
  readonly domain: Domain
  readonly records: readonly ExpectedRecord[]
  /** The selectors of our present and next keys, and of those that providers sign with. */
  readonly selectors: readonly string[]
  /** Whether running or planned mail is sent from it. */
  readonly isInUse: boolean
}

/** The records that a domain should have as far as they are known. */
export interface KnownRecords {
  readonly records: readonly ExpectedRecord[]
  /** Whether the domain has no keys yet: they are created when its records are first requested. */
  readonly lacksKeys: boolean
}

type Described = Omit<DomainWithRecords, "isInUse">

interface DescriptionDeps {
  readonly dkim: Pick<ReturnType<typeof createDkimKeys>, "of">
  readonly identities: Pick<Identities, "of">
  /** Our host name for mail servers, if we have one. */
  readonly mailHost: () => string | undefined
  /** Whether any mail leaves by a transport whose provider does not sign it, so that we do. */
  readonly signs: boolean
}

/** The records that domains should have, and what is sent from them. */
export function createDescriptions(
  { store, references }: Pick<Engine, "store" | "references">,
  { dkim, identities, mailHost, signs }: DescriptionDeps,
) {
  /** The keys that a domain signs with, made on first use. */
  const keysOf = async (domain: Domain): Promise<readonly DkimKey[]> => (signs ? dkim.of(domain) : [])

  function describe(domain: Domain, keys: readonly DkimKey[]): Described {
    const states = identities.of(domain)
    const old = keys.filter(({ state }) => state === "old")
    const own = keys.filter(({ state }) => state !== "old")
    const records = expectedRecords({
      domain: domain.domain,
      keys: [...own, ...old],
      host: mailHost(),
      identities: states,
    })
    const tokens = states.flatMap(({ dkimTokens }) => dkimTokens)
    return { domain, records, selectors: [...own.map(({ selector }) => selector), ...tokens] }
  }

  /** The records that prevent the deletion of the domain. */
  const usesOf = async (db: Db, projectId: string, domain: string): Promise<Reference[]> =>
    (await references.to(db, projectId, { kind: "domain", key: domain })).filter(({ blocks }) => blocks)

  async function withUse(described: Described): Promise<DomainWithRecords> {
    const { projectId, domain } = described.domain
    return { ...described, isInUse: (await usesOf(store.read, projectId, domain)).length > 0 }
  }

  return {
    keysOf,
    describe,
    usesOf,
    withUse,
    withRecords: async (domain: Domain): Promise<DomainWithRecords> => withUse(describe(domain, await keysOf(domain))),
    /** The records of a domain, without creating keys. */
    async knownRecords(domain: Domain): Promise<KnownRecords> {
      const keys = signs ? await listKeys(store.read, domain.id) : []
      return { records: describe(domain, keys).records, lacksKeys: signs && keys.length === 0 }
    },
  }
}

export type Descriptions = ReturnType<typeof createDescriptions>
