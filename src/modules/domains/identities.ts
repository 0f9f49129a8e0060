import type { Engine } from "../../engine.ts"
import { hour, second } from "../../kernel/clock.ts"
import { reasonOf } from "../../kernel/log.ts"
import { createSemaphore } from "../../kernel/semaphore.ts"
import type { DomainIdentity, TransportIdentity } from "../../mail/transport.ts"
import type { Domain, StoredIdentities } from "./table.ts"

/** A transport at whose provider sender domains are set up. */
export interface IdentityProvider {
  readonly name: string
  readonly identity: TransportIdentity
}

/** Sender domains at the providers that want to know them (contract B6.1). */
export interface Identities {
  /** What is stored of a domain, of the providers in use. */
  of(domain: Domain): DomainIdentity[]
  /**
   * Asks every provider, or with `recent` those whose answer is an hour old or not good; a domain that one does not know, or
   * has given up, is registered there. One that was registered there by somebody else proves nothing for a project that is
   * not the operator's own: it waits until that is gone, or the operator vouches for it. Never rejects: what could not be
   * asked stays as it is stored, the log says so, and it is not `isAnswered`.
   */
  ask(domain: Domain, recent?: "recent"): Promise<{ identities: StoredIdentities; isAnswered: boolean }>
  /**
   * Takes a deleted domain off the providers; undefined, or why one still has it. Where `successor` has been added since, it
   * stays if that may use what is registered. Never rejects.
   */
  remove(domain: string, successor?: Domain): Promise<string | undefined>
}

const timeoutMs = 20 * second
// A domain that is set up rarely changes, and providers allow about one of these requests a second.
const freshMs = hour

export function createIdentities(
  providers: readonly IdentityProvider[],
  isOperators: (projectId: string) => Promise<boolean>,
  { store, clock, log }: Pick<Engine, "store" | "clock" | "log">,
): Identities {
  // A transport may serve both lanes.
  const byName = new Map(providers.map((provider) => [provider.name, provider.identity]))
  const oneByOne = createSemaphore(1)

  async function called<T>(work: (abort: AbortSignal) => Promise<T>): Promise<T> {
    const abort = AbortSignal.timeout(timeoutMs)
    if (!(await oneByOne.acquire(abort))) throw new Error("the provider is busy")
    try {
      // A power failure must not bring back a domain that the provider was told to forget.
      await store.settled()
      return await work(abort)
    } finally {
      oneByOne.release()
    }
  }

  const isFresh = (stored: StoredIdentities[string] | undefined): boolean => {
    const age = stored?.status === "VERIFIED" ? clock.now() - stored.askedAt : freshMs
    return age >= 0 && age < freshMs
  }

  /** Whether what is registered at a provider is proof for this domain of a project. */
  const mayUse = async ({ id, projectId }: Domain, { mark }: DomainIdentity): Promise<boolean> =>
    mark === id || (await isOperators(projectId))

  async function stateOf(domain: Domain, name: string, found: DomainIdentity): Promise<DomainIdentity> {
    if (await mayUse(domain, found)) return found
    const stored = domain.identities[name]
    const isKnown = stored !== undefined && stored.mark === found.mark && stored.records.length === 0
    if (!isKnown)
      log.warn("A domain stays unverified, because somebody else has registered it at the provider", {
        provider: name,
        domain: domain.domain,
        hint: `If it is theirs all the same: mailstead domain add ${domain.domain} --verified`,
      })
    return { mark: found.mark, status: "PENDING", dkimTokens: [], records: [] }
  }

  return {
    of: ({ identities }) => [...byName.keys()].flatMap((name) => identities[name] ?? []),
    async ask(row, recent) {
      const { domain, identities } = row
      const found: Record<string, StoredIdentities[string]> = {}
      let isAnswered = true
      for (const [name, identity] of byName) {
        const stored = identities[name]
        if (stored) found[name] = stored
        if (recent && isFresh(stored)) continue
        try {
          const known = stored && (await called((abort) => identity.read(domain, abort)))
          const isEnough = known && !hasGivenUp(known, recent)
          const state = isEnough ? known : await called((abort) => identity.register(domain, abort, row.id))
          found[name] = { ...(await stateOf(row, name, state)), askedAt: clock.now() }
        } catch (cause) {
          isAnswered = false
          log.warn("A provider could not be asked about a domain", { provider: name, domain, reason: reasonOf(cause) })
        }
      }
      return { identities: found, isAnswered }
    },

    async remove(domain, successor) {
      const failures: string[] = []
      for (const [name, identity] of byName) {
        try {
          const kept = successor && (await called((abort) => identity.read(domain, abort)))
          if (successor && (kept === undefined || (await mayUse(successor, kept)))) continue
          await called((abort) => identity.remove(domain, abort))
        } catch (cause) {
          failures.push(`${name}: ${reasonOf(cause)}`)
        }
      }
      return failures.length > 0 ? failures.join("; ") : undefined
    },
  }
}

/**
 * Whether a provider finds nothing more until it is asked to register a domain again. What a domain does not need is looked for
 * again only when somebody asks: a provider may tell of each time that it has given up.
 */
const hasGivenUp = ({ status, records }: DomainIdentity, recent: "recent" | undefined): boolean =>
  status === "FAILED" || (recent === undefined && records.some((record) => record.status === "FAILED"))
