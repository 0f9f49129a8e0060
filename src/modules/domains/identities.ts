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

/** Sender domains at the providers that require their registration (contract B6.1). */
export interface Identities {
  /** The stored states of a domain at the providers in use. */
  of(domain: Domain): DomainIdentity[]
  /**
   * Asks every provider, or with `recent` only those whose last answer is an hour old or negative. A domain that a
   * provider does not know, or no longer looks for, is registered there. A registration made by somebody else proves
   * nothing for a project that is not the operator's: the domain waits until that registration is removed, or until the
   * operator verifies it. Never rejects: when a provider cannot be asked, its stored state stays, which is logged, and
   * `isAnswered` is false.
   */
  ask(domain: Domain, recent?: "recent"): Promise<{ identities: StoredIdentities; isAnswered: boolean }>
  /**
   * Removes a deleted domain from the providers; resolves to the reason why one still has it, if one does. If
   * `successor` has been added since, it stays if that may use the registration. Never rejects.
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
      // Waits until the deletion is on disk: a power failure must not bring back a domain that was removed from the
      // provider.
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

  /** Whether the registration at a provider proves that the project may use this domain. */
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
 * Whether a provider has stopped looking for records until the domain is registered again. For optional records this is
 * only done when a user requests a check, because a provider may send a notice each time it gives up.
 */
const hasGivenUp = ({ status, records }: DomainIdentity, recent: "recent" | undefined): boolean =>
  status === "FAILED" || (recent === undefined && records.some((record) => record.status === "FAILED"))
