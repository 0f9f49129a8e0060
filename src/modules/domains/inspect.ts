import { asc, count } from "drizzle-orm"
import type { Engine } from "../../engine.ts"
import type { Dns } from "../../net/dns.ts"
import { lookUp } from "./look-up.ts"
import type { RecordPurpose } from "./records.ts"
import { type Domain, domainTable } from "./table.ts"
import type { KnownRecords } from "./with-records.ts"

export interface InspectedDomain {
  readonly domain: string
  readonly verified: boolean
  /** The purposes of records that were not found, without those of keys that do not sign. */
  readonly missing: readonly RecordPurpose[]
  /** Whether a record that is needed for sending is among them. */
  readonly lacksRequired: boolean
  /** Whether no record is needed, because a provider has not named its own (contract B6.8). */
  readonly awaitsProvider: boolean
  /** Whether the DNS gave no answer for some of them. */
  readonly isUnanswered: boolean
}

export interface Inspection {
  /** The number of domains, of which only the oldest are looked up. */
  readonly total: number
  readonly domains: readonly InspectedDomain[]
}

interface InspectDeps {
  readonly dns: Dns
  readonly knownRecords: (domain: Domain) => Promise<KnownRecords>
}

/** Looks up the records of domains of all projects as they are now, and stores nothing. */
export const createInspection =
  ({ store }: Pick<Engine, "store">, { dns, knownRecords }: InspectDeps) =>
  async (most: number): Promise<Inspection> => {
    const oldest = await store.read.select().from(domainTable).orderBy(asc(domainTable.id)).limit(most)
    const [row] = await store.read.select({ total: count() }).from(domainTable)
    return { total: row?.total ?? 0, domains: await Promise.all(oldest.map(inspect)) }

    async function inspect(domain: Domain): Promise<InspectedDomain> {
      const { records, lacksKeys } = await knownRecords(domain)
      // A domain that the operator has verified needs no published keys.
      const wanted = records.filter(({ rotation, purpose }) => !rotation && !(domain.vouched && purpose !== "DMARC"))
      const lookups = await lookUp(dns, wanted)
      const isMissing = ({ key }: { key: string }) => lookups.get(key)?.matches === false
      // Nobody can have published the records of keys that are not made yet.
      const isNew = lacksKeys && !domain.vouched
      return {
        domain: domain.domain,
        verified: domain.verified,
        missing: [
          ...new Set([...(isNew ? ["DKIM" as const] : []), ...wanted.filter(isMissing).map(({ purpose }) => purpose)]),
        ],
        lacksRequired: isNew || wanted.some((record) => record.required && isMissing(record)),
        awaitsProvider: !domain.vouched && !lacksKeys && !records.some(({ required }) => required),
        isUnanswered: wanted.some(({ key }) => !lookups.has(key)),
      }
    }
  }
