import type { Engine } from "../../engine.ts"
import { domainOf, parseDomain } from "../../kernel/email-address.ts"
import { conflict, DomainError, fault, invalid } from "../../kernel/errors.ts"
import { turnOfItsOwn } from "../../kernel/event-loop.ts"
import { mapConcurrent } from "../../kernel/map-concurrent.ts"
import { dkimSigner, type Signer } from "../../mail/dkim.ts"
import type { Dns } from "../../net/dns.ts"
import type { Db } from "../../store/database.ts"
import type { Unit } from "../../store/writer.ts"
import type { Actor, Audit } from "../audit/index.ts"
import { createCheckAll } from "./check-all.ts"
import { createDomainCheck } from "./check-domain.ts"
import { createDkimKeys } from "./dkim-keys.ts"
import { createIdentities, type IdentityProvider } from "./identities.ts"
import { createInspection } from "./inspect.ts"
import { releaseDomain } from "./job-kinds.ts"
import { createMailPaths } from "./mail-paths.ts"
import { createDomainOwners } from "./owners.ts"
import { recordKeyOf } from "./records.ts"
import { missing } from "./rules.ts"
import { deleteDomain, findByName, findDomain, findOwner, findSending, listDomains } from "./store.ts"
import { type Domain, domainTable } from "./table.ts"
import { createDescriptions, type DomainWithRecords } from "./with-records.ts"

export interface DomainDeps {
  readonly audit: Pick<Audit, "record">
  readonly dns: Dns
  /** Accepts every sender and verifies every domain at once, as the sandbox does (contract A8.3.2, contract B6.7). */
  readonly anyDomain: boolean
  /** Our host name for mail servers, if we have one. */
  readonly mailHost: () => string | undefined
  /** The transports whose providers require sender domains to be registered. */
  readonly providers: readonly IdentityProvider[]
  /** Whether a project belongs to the operator, who may use domains that are already registered at these providers. */
  readonly isOperators: (projectId: string) => Promise<boolean>
  /** Whether incoming mail is received, so that a bounce comes back. */
  readonly receives: boolean
  /** Whether any mail leaves by a transport without such a provider, so that we sign it. */
  readonly signs: boolean
}

type DomainEngine = Pick<Engine, "store" | "clock" | "ids" | "log" | "secret" | "references" | "jobs">

/** Domains of a list that are described at the same time: the keys of new ones are made on other threads. */
const describedAtOnce = 4

interface OutgoingEmail {
  readonly id: string
  readonly projectId: string
  readonly from: string
  /** In ms: the time of the signature. */
  readonly createdAt: number
}

/** The envelope sender and the signer of a message. */
export interface SendingIdentity {
  readonly envelopeFrom: string
  readonly signer: Signer | undefined
}

/** Sender domains: which addresses a project may send from, and the DNS records this requires (contract B6). */
export function createDomainActions(engine: DomainEngine, deps: DomainDeps) {
  const { dns, anyDomain, mailHost, providers, receives, signs, audit, isOperators } = deps
  const { store, ids, secret, jobs } = engine
  const owners = createDomainOwners(store)
  const { returnPathFor, ...mailPaths } = createMailPaths({ owners, secret, receives })
  const dkim = createDkimKeys(engine)
  const identities = createIdentities(providers, isOperators, engine)
  const descriptions = createDescriptions(engine, { dkim, identities, mailHost, signs })
  const { keysOf, usesOf, withRecords, knownRecords } = descriptions
  const { askProviders, check } = createDomainCheck(engine, {
    ...descriptions,
    dns,
    dkim,
    identities,
    owners,
    planRelease,
  })

  /** A domain that the operator has verified is registered at providers only if it was first added without that. */
  async function planRelease(unit: Unit, { id, domain, vouched, identities: known }: Domain): Promise<void> {
    const wasRegistered = !vouched || Object.values(known).some(({ mark }) => mark === id)
    if (wasRegistered && providers.length > 0) await jobs.enqueue(unit, releaseDomain, { domain })
  }

  const get = async (projectId: string, id: string): Promise<Domain> =>
    (await findDomain(store.read, projectId, id)) ?? missing(id)

  async function readSending(projectId: string, domain: string) {
    const rows = await findSending(store.read, { projectId, domain })
    const checks = rows[0]?.checks ?? {}
    const isPublished = ({ selector }: { selector: string }) => checks[recordKeyOf(selector)]?.status === "VERIFIED"
    return { checks, keys: rows.flatMap(({ key }) => (key && isPublished(key) ? [dkim.parse(key)] : [])) }
  }

  return {
    ...mailPaths,

    /**
     * Reads the envelope senders and signers of messages, each sender domain once. The envelope sender is the return
     * path if that is published in the DNS and mail to it is received here (contract B9.6.4), else the From address.
     * The signer has the published keys; undefined when there are none.
     */
    sendings(): (email: OutgoingEmail) => Promise<SendingIdentity> {
      const known = new Map<string, ReturnType<typeof readSending>>()
      return async ({ id, projectId, from, createdAt }) => {
        const domain = domainOf(from)
        const key = `${projectId} ${domain}`
        const reading = known.get(key) ?? readSending(projectId, domain)
        known.set(key, reading)
        const { checks, keys } = await reading
        // Ed25519 is never used alone, because many verifiers do not support it (RFC 8463, 5).
        const signs = keys.some(({ algorithm }) => algorithm === "rsa")
        return {
          envelopeFrom: returnPathFor(id, domain, checks) ?? from,
          signer: signs ? dkimSigner({ domain, keys, at: createdAt }) : undefined,
        }
      }
    },

    hasVerified: async (projectId: string): Promise<boolean> =>
      (await listDomains(store.read, projectId)).some(({ verified }) => verified),

    /**
     * Within a unit, through the handle of the unit. @throws {DomainError} 403 unless the domain of the sender is a verified
     * domain of the project (contract A4.3.3)
     */
    async requireVerifiedSender(projectId: string, from: string, db?: Db): Promise<void> {
      if (anyDomain) return
      const domain = domainOf(from)
      const owner = db === undefined ? await owners.of(domain) : (await findOwner(db, { domain }))[0]
      if (owner?.verified && owner.projectId === projectId) return
      throw new DomainError("forbidden", "INTERNAL_SERVER_ERROR", `The sender domain ${domain} is not verified.`, {
        suggestion: `Add and verify ${domain} for this project, or send from a domain that is verified.`,
      })
    },

    /**
     * Adds a domain; `vouched` marks it as verified by the operator, which may be repeated. A domain belongs to one
     * project. @throws {DomainError} 409 when it has been added; also, with `vouched`, when it is verified by its
     * records, because its mail would no longer be signed
     */
    async add(projectId: string, name: string, { vouched }: { vouched: boolean }, actor?: Actor): Promise<Domain> {
      const domain = parseDomain(name)
      if (domain === undefined)
        throw invalid([fault("domain", "invalid_string", "domain must be a domain name such as example.com.")])
      const trusted = vouched || anyDomain
      const added = await store.write(projectId, async (unit) => {
        const known = await findByName(unit.db, domain)
        if (known && known.projectId !== projectId) throw conflict(`${domain} is registered in another project.`)
        if (known && !vouched) throw conflict(`${domain} is registered already.`)
        if (known?.vouched) return known
        if (known?.verified) throw isSigned(known)
        const status = trusted ? ("VERIFIED" as const) : ("PENDING" as const)
        const row = { verified: trusted, vouched: trusted, status, updatedAt: unit.now }
        const [saved] = await unit.db
          .insert(domainTable)
          .values({ id: ids.next(), projectId, domain, createdAt: unit.now, pendingSince: unit.now, ...row })
          .onConflictDoUpdate({ target: domainTable.domain, set: row })
          .returning()
        if (saved === undefined) throw new Error("The domain was not stored.")
        owners.forget(unit)
        await audit.record(unit, { projectId, action: "domain.added", ...(actor && { actor }), details: { domain } })
        return saved
      })
      return trusted ? added : (await askProviders(added)).domain
    },

    withRecords,
    inspect: createInspection(engine, { dns, knownRecords }),

    async list(projectId: string): Promise<DomainWithRecords[]> {
      return mapConcurrent(await listDomains(store.read, projectId), describedAtOnce, async (domain) => {
        // Finding what uses a domain takes a search of all campaigns and templates, and there may be a thousand
        // domains.
        await turnOfItsOwn()
        return withRecords(domain)
      })
    },

    /** Checks now and stores the result. @throws {DomainError} 404 */
    verify: async (projectId: string, id: string): Promise<DomainWithRecords> => check(await get(projectId, id)),

    /**
     * Creates new DKIM keys, whose records must be published beside the present ones. The check that finds them
     * switches to the new keys (contract B6.10). @throws {DomainError} 404, 409 for a domain that we do not sign for
     */
    async rotateKeys(projectId: string, id: string, actor?: Actor): Promise<DomainWithRecords> {
      const domain = await get(projectId, id)
      if (!signs || domain.vouched) throw conflict(`Mail of ${domain.domain} is not signed with keys of this server.`)
      await keysOf(domain)
      await dkim.add(domain, (unit, keys) =>
        audit.record(unit, {
          projectId,
          action: "domain.keys_rotated",
          ...(actor && { actor }),
          details: { domain: domain.domain, selectors: keys.map(({ selector }) => selector) },
        }),
      )
      return withRecords(domain)
    },

    /** The domain with this name. @throws {DomainError} 404 */
    async named(projectId: string, name: string): Promise<Domain> {
      const found = await findByName(store.read, parseDomain(name) ?? name)
      return found?.projectId === projectId ? found : missing(name)
    },

    checkAll: createCheckAll(engine, (domain) => check(domain, "recent")),

    /** @throws {DomainError} 409 while running or planned mail uses it, 404 */
    async remove(projectId: string, id: string, actor: Actor): Promise<void> {
      await store.write(projectId, async (unit) => {
        const domain = (await findDomain(unit.db, projectId, id)) ?? missing(id)
        const [blocking] = await usesOf(unit.db, projectId, domain.domain)
        if (blocking)
          throw conflict(`${domain.domain} is the sender of “${blocking.name}”.`, { [blocking.by]: blocking.id })
        await deleteDomain(unit, projectId, id)
        owners.forget(unit)
        await planRelease(unit, domain)
        await audit.record(unit, { projectId, action: "domain.deleted", actor, details: { domain: domain.domain } })
      })
    },

    /**
     * Deletes all domains of a project, which other projects may then add, and schedules their removal from the
     * providers.
     */
    async removeAll(unit: Unit, projectId: string): Promise<void> {
      owners.forget(unit)
      for (const domain of await listDomains(unit.db, projectId)) {
        await planRelease(unit, domain)
        await deleteDomain(unit, projectId, domain.id)
      }
    },

    /**
     * Removes a deleted domain from the providers, unless it has been added again by a project that may use the
     * registration. Resolves to the reason why a provider still has it, if one does.
     */
    async release(domain: string): Promise<string | undefined> {
      const successor = await findByName(store.read, domain)
      return successor?.vouched ? undefined : identities.remove(domain, successor)
    },
  }
}

export type Domains = ReturnType<typeof createDomainActions>

const isSigned = ({ id, domain }: Domain): DomainError =>
  conflict(
    `${domain} is verified by its DNS records, and nothing needs to be done. To take your word instead, with which its mail is not signed, delete it first in the dashboard or by DELETE /domains/${id}.`,
  )
