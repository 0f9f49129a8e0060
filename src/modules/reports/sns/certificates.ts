import { type KeyObject, X509Certificate } from "node:crypto"
import { LRUCache } from "lru-cache"
import { type Clock, day, minute } from "../../../kernel/clock.ts"
import type { SafeFetch } from "../../../net/safe-fetch.ts"
import { snsAddress } from "./envelope.ts"

const maxBytes = 16_384
const keptMs = day
/** Limits requests to Amazon caused by invented addresses. */
const absentMs = 5 * minute

interface Known {
  readonly key: KeyObject | undefined
  readonly validFrom: number
  readonly validTo: number
  readonly until: number
}

type FindKey = (url: string) => Promise<KeyObject | undefined>

/**
 * The public keys of SNS by the addresses of their certificates. TLS proves that a certificate comes from Amazon. Memory:
 * what is published under an address does not change; an address without certificate is asked for again after minutes.
 */
export function createCertificates({ outbound, clock }: { outbound: SafeFetch; clock: Clock }): FindKey {
  const known = new LRUCache<string, Known>({ max: 100 })
  const underWay = new Map<string, Promise<Known>>()

  /** @throws when Amazon cannot be asked */
  async function ask(url: string): Promise<Known> {
    const fetched = await outbound(url, { maxBytes })
    if (fetched.outcome !== "answered") throw new Error(`The certificate of SNS cannot be had: ${fetched.reason}`)
    if (fetched.status >= 500) throw new Error(`The certificate of SNS cannot be had: status ${fetched.status}.`)
    const certificate = fetched.status === 200 ? certificateIn(fetched.body) : undefined
    const now = clock.now()
    const found: Known =
      certificate?.publicKey.asymmetricKeyType === "rsa"
        ? {
            key: certificate.publicKey,
            validFrom: Date.parse(certificate.validFrom),
            validTo: Date.parse(certificate.validTo),
            until: now + keptMs,
          }
        : { key: undefined, validFrom: 0, validTo: 0, until: now + absentMs }
    known.set(url, found)
    return found
  }

  /** Undefined for an address at which SNS has no certificate, and outside the dates of the certificate. */
  return async (given) => {
    const url = certificateAddress(given)
    if (url === undefined) return undefined
    const kept = known.get(url)
    const asked = kept && kept.until > clock.now() ? kept : undefined
    const shared = asked ?? underWay.get(url) ?? ask(url).finally(() => underWay.delete(url))
    if (shared instanceof Promise) underWay.set(url, shared)
    const { key, validFrom, validTo } = await shared
    const now = clock.now()
    return validFrom <= now && now <= validTo ? key : undefined
  }
}

/** The address in its normal form. SNS has its certificates at the top of its pages, without a query. */
function certificateAddress(text: string): string | undefined {
  const url = snsAddress(text)
  if (url === undefined || url.search !== "" || url.hash !== "") return undefined
  return /^\/[A-Za-z0-9_-]{1,100}\.pem$/.test(url.pathname) ? url.href : undefined
}

function certificateIn(bytes: Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(bytes)
  } catch {
    return undefined
  }
}
