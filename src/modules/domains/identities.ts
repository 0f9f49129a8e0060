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
   * Asks every provider, or with `recent` those whose answer is an hour old or not good; a domain that one does not know is
   * registered there. Never rejects: what could not be asked stays as it is stored, the log says so, and it is not
   * `isAnswered`.
   */
  ask(domain: Domain, recent?: "recent"): Promise<{ identities: StoredIdentities; isAnswered: boolean }>
  /** Takes the domain off the providers; undefined, or why one still has it. Never rejects. */
  remove(domain: string): Promise<string | undefined>
}

const timeoutMs = 20 * second
// A domain that is set up rarely changes, and providers allow about one of these requests a second.
const freshMs = hour

export function createIdentities(
  providers: readonly IdentityProvider[],
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

  return {
    of: ({ identities }) => [...byName.keys()].flatMap((name) => identities[name] ?? []),
    async ask({ domain, identities }, recent) {
      const found: Record<string, StoredIdentities[string]> = {}
      let isAnswered = true
      for (const [name, identity] of byName) {
        const stored = identities[name]
        if (stored) found[name] = stored
        if (recent && isFresh(stored)) continue
        try {
          const known = stored && (await called((abort) => identity.read(domain, abort)))
          const state = known ?? (await called((abort) => identity.register(domain, abort)))
          found[name] = { ...state, askedAt: clock.now() }
        } catch (cause) {
          isAnswered = false
          log.warn("A provider could not be asked about a domain", { provider: name, domain, reason: reasonOf(cause) })
        }
      }
      return { identities: found, isAnswered }
    },

    async remove(domain) {
      const failures: string[] = []
      for (const [name, identity] of byName) {
        try {
          await called((abort) => identity.remove(domain, abort))
        } catch (cause) {
          failures.push(`${name}: ${reasonOf(cause)}`)
        }
      }
      return failures.length > 0 ? failures.join("; ") : undefined
    },
  }
}
