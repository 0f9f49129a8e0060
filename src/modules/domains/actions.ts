import type { Engine } from "../../engine.ts"
import { domainOf, parseDomain } from "../../kernel/email-address.ts"
import { conflict, DomainError, fault, invalid, notFound } from "../../kernel/errors.ts"
import type { Signer } from "../../mail/compose.ts"
import { dkimSigner } from "../../mail/dkim.ts"
import type { Dns } from "../../net/dns.ts"
import type { Reference } from "../../references.ts"
import type { Db } from "../../store/database.ts"
import type { Unit } from "../../store/writer.ts"
import type { Actor, Audit } from "../audit/index.ts"
import { lookUp } from "./check.ts"
import { createCheckAll } from "./check-all.ts"
import { afterLookup, createDkimKeys } from "./dkim-keys.ts"
import { createIdentities, type IdentityProvider } from "./identities.ts"
import { createInspection } from "./inspect.ts"
import { releaseDomain } from "./job-kinds.ts"
import { createMailPaths } from "./mail-paths.ts"
import { type ExpectedRecord, expectedRecords, recordKeyOf } from "./records.ts"
import { afterCheck } from "./rules.ts"
import { deleteDomain, findByName, findDomain, findSending, findVerified, listDomains, saveDomain } from "./store.ts"
import { type DkimKey, type Domain, domainTable } from "./table.ts"

export interface DomainDeps {
  readonly audit: Pick<Audit, "record">
  readonly dns: Dns
  /** Accepts every sender and verifies every domain at once, as the sandbox does (contract A8.3.2, contract B6.7). */
  readonly anyDomain: boolean
  /** Our host name for mail servers, if we have one. */
  readonly mailHost: () => string | undefined
  /** The transports whose providers require sender domains to be registered. */
  readonly providers: readonly IdentityProvider[]
  /** Whether a project belongs to the operator, who may use what the accounts at these providers hold already. */
  readonly isOperators: (projectId: string) => Promise<boolean>
  /** Whether incoming mail is received, so that a bounce comes back. */
  readonly receives: boolean
  /** Whether any mail leaves by a transport without such a provider, so that we sign it. */
  readonly signs: boolean
}

/** A domain with the records it should have. */
export interface DomainWithRecords {
  readonly domain: Domain
  readonly records: readonly ExpectedRecord[]
  /** Of our keys that sign or will, and those that providers sign with. */
  readonly selectors: readonly string[]
  /** Whether running or planned mail is sent from it. */
  readonly isInUse: boolean
}

type Described = Omit<DomainWithRecords, "isInUse">

type DomainEngine = Pick<Engine, "store" | "clock" | "ids" | "log" | "secret" | "references" | "jobs">

interface OutgoingEmail {
  readonly id: string
  readonly projectId: string
  readonly from: string
  /** In ms: the time of the signature. */
  readonly createdAt: number
}

/** What a message leaves with, besides its content. */
export interface Sending {
  readonly envelopeFrom: string
  readonly signer: Signer | undefined
}

/** Sender domains: which addresses a project may send from, and the DNS records this requires (contract B6). */
export function createDomainActions(engine: DomainEngine, deps: DomainDeps) {
  const { dns, anyDomain, mailHost, providers, receives, signs, audit, isOperators } = deps
  const { store, ids, secret, references, jobs } = engine
  const { returnPathFor, ...mailPaths } = createMailPaths({ store, secret, receives })
  const dkim = createDkimKeys(engine)
  const identities = createIdentities(providers, isOperators, engine)

  const keysOf = async (domain: Domain): Promise<readonly DkimKey[]> => (signs ? dkim.of(domain) : [])
  const withUse = async (described: Described): Promise<DomainWithRecords> => {
    const { projectId, domain } = described.domain
    return { ...described, isInUse: (await usesOf(store.read, projectId, domain)).length > 0 }
  }
  const withRecords = async (domain: Domain): Promise<DomainWithRecords> =>
    withUse(describe(domain, await keysOf(domain)))

  /** What cannot run without the domain. */
  const usesOf = async (db: Db, projectId: string, domain: string): Promise<Reference[]> =>
    (await references.to(db, projectId, { kind: "domain", key: domain })).filter(({ blocks }) => blocks)

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

  /** Stores what the providers say of a domain, which is registered with them first. */
  async function askProviders(domain: Domain, recent?: "recent"): Promise<{ domain: Domain; isAnswered: boolean }> {
    const { identities: found, isAnswered } = await identities.ask(domain, recent)
    if (JSON.stringify(found) === JSON.stringify(domain.identities)) return { domain, isAnswered }
    const saved = await store.write(domain.projectId, (unit) => saveDomain(unit, domain.id, { identities: found }))
    return { domain: saved ?? missing(domain.id), isAnswered }
  }

  /** The operator's own domains were never registered. */
  async function planRelease(unit: Unit, { domain, vouched }: Domain): Promise<void> {
    if (vouched || providers.length === 0) return
    await jobs.enqueue(unit, releaseDomain, { domain })
  }

  const get = async (projectId: string, id: string): Promise<Domain> =>
    (await findDomain(store.read, projectId, id)) ?? missing(id)

  /** Looks up the records and stores the result. A domain that the operator verified is left alone. */
  async function check(given: Domain, fresh: boolean): Promise<DomainWithRecords> {
    if (given.vouched) return withRecords(given)
    const { domain, isAnswered } = await askProviders(given, fresh ? undefined : "recent")
    const keys = await keysOf(domain)
    const before = describe(domain, keys)
    // Without the answer of a provider nothing changes (contract B6.7).
    if (!isAnswered) return withUse(before)
    const isReady = identities.of(domain).every(({ status }) => status === "VERIFIED")
    const lookups = await lookUp(dns, before.records, fresh)
    const rotation = afterLookup(keys, ({ selector }) => lookups.get(recordKeyOf(selector))?.matches)
    const known = describe(domain, rotation.keys)
    const saved = await store.write(domain.projectId, async (unit) => {
      const now = await findDomain(unit.db, domain.projectId, domain.id)
      if (now === undefined) return missing(domain.id)
      if (now.vouched) return now
      const state = afterCheck(now, known.records, lookups, { now: unit.now, isReady })
      await dkim.settle(unit, domain.id, rotation)
      const isNews = state.status !== now.status || JSON.stringify(state.checks) !== JSON.stringify(now.checks)
      return saveDomain(unit, domain.id, { ...state, ...(isNews && { updatedAt: unit.now }) })
    })
    return withUse({ ...known, domain: saved ?? missing(domain.id) })
  }

  async function readSending(projectId: string, domain: string) {
    const rows = await findSending(store.read, { projectId, domain })
    const checks = rows[0]?.checks ?? {}
    const isPublished = ({ selector }: { selector: string }) => checks[recordKeyOf(selector)]?.status === "VERIFIED"
    return { checks, keys: rows.flatMap(({ key }) => (key && isPublished(key) ? [dkim.parse(key)] : [])) }
  }

  return {
    ...mailPaths,

    /**
     * Reads what messages leave with, each domain once. By the domain of its author: its envelope sender, the return path
     * where that is published in the DNS and mail to it is received here (contract B9.6.4), else its From; and its signer,
     * with the keys that are published, undefined when there is none.
     */
    sendings(): (email: OutgoingEmail) => Promise<Sending> {
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

    /** Throws 403 unless the domain of the sender is a verified domain of the project (contract A4.3.3). */
    async requireVerifiedSender(projectId: string, from: string, db: Db = store.read): Promise<void> {
      if (anyDomain) return
      const domain = domainOf(from)
      const [row] = await findVerified(db, { projectId, domain })
      if (row) return
      throw new DomainError("forbidden", "INTERNAL_SERVER_ERROR", `The sender domain ${domain} is not verified.`, {
        suggestion: `Add and verify ${domain} for this project, or send from a domain that is verified.`,
      })
    },

    /**
     * Registers a domain; `vouched` marks it as verified by the operator, which may be repeated. A domain belongs to one
     * project. @throws {DomainError} 409 when it is registered, also for one to be vouched for that is verified by its
     * records: its mail would not be signed any more
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
        await audit.record(unit, { projectId, action: "domain.added", ...(actor && { actor }), details: { domain } })
        return saved
      })
      return trusted ? added : (await askProviders(added)).domain
    },

    withRecords,
    inspect: createInspection(engine, { dns, withRecords }),

    async list(projectId: string): Promise<DomainWithRecords[]> {
      return Promise.all((await listDomains(store.read, projectId)).map(withRecords))
    },

    /** Checks now and stores the result. @throws {DomainError} 404 */
    verify: async (projectId: string, id: string): Promise<DomainWithRecords> => check(await get(projectId, id), true),

    /**
     * Makes new DKIM keys, whose records are to be published beside the present ones. A check that finds them switches to
     * them (contract B6.10). @throws {DomainError} 404, 409 for a domain that we do not sign for
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

    checkAll: createCheckAll(engine, (domain) => check(domain, false)),

    /** @throws {DomainError} 409 while running or planned mail uses it, 404 */
    async remove(projectId: string, id: string, actor: Actor): Promise<void> {
      await store.write(projectId, async (unit) => {
        const domain = (await findDomain(unit.db, projectId, id)) ?? missing(id)
        const [blocking] = await usesOf(unit.db, projectId, domain.domain)
        if (blocking)
          throw conflict(`${domain.domain} is the sender of “${blocking.name}”.`, { [blocking.by]: blocking.id })
        await deleteDomain(unit, projectId, id)
        await planRelease(unit, domain)
        await audit.record(unit, { projectId, action: "domain.deleted", actor, details: { domain: domain.domain } })
      })
    },

    /** Plans that the domains of a project, which is being deleted, are taken off the providers. */
    async releaseAll(unit: Unit, projectId: string): Promise<void> {
      for (const domain of await listDomains(unit.db, projectId)) await planRelease(unit, domain)
    },

    /**
     * Takes a deleted domain off the providers, unless it has been added again by one who may use what is registered;
     * undefined, or why one still has it.
     */
    async release(domain: string): Promise<string | undefined> {
      const successor = await findByName(store.read, domain)
      return successor?.vouched ? undefined : identities.remove(domain, successor)
    },
  }
}

export type Domains = ReturnType<typeof createDomainActions>

function missing(id: string): never {
  throw notFound("Domain", id)
}

const isSigned = ({ id, domain }: Domain): DomainError =>
  conflict(
    `${domain} is verified by its DNS records, and nothing needs to be done. To take your word instead, with which its mail is not signed, delete it first in the dashboard or by DELETE /domains/${id}.`,
  )
