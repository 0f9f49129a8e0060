import { hour } from "../../kernel/clock.ts"
import { notFound } from "../../kernel/errors.ts"
import type { Lookups } from "./look-up.ts"
import type { ExpectedRecord } from "./records.ts"
import type { Domain, DomainStatus, RecordChecks } from "./table.ts"

/** After this time without success a domain and its records are FAILED; checks continue (contract B6.1). */
const verificationMs = 72 * hour
/** Consecutive checks without a required record after which a domain is no longer `verified` (contract B6.7). */
const mostMisses = 3

type CheckedState = Pick<Domain, "verified" | "status" | "checks" | "misses" | "pendingSince" | "lastCheckedAt">

/**
 * The state of a domain after a check at `now`; `isReady` tells whether every provider in use sends for it. A record
 * without an answer keeps its state; without any answer nothing changes. Pure.
 */
export function afterCheck(
  domain: Domain,
  records: readonly ExpectedRecord[],
  lookups: Lookups,
  { now, isReady }: { now: number; isReady: boolean },
): CheckedState {
  const { verified, status, checks, misses, pendingSince, lastCheckedAt } = domain
  if (lookups.size === 0) return { verified, status, checks, misses, pendingSince, lastCheckedAt }
  const required = records.filter((record) => record.required)
  const isMissing = !isReady || required.some(({ key }) => lookups.get(key)?.matches === false)
  const isFound = isReady && required.every(({ key }) => lookups.get(key)?.matches === true)
  const isComplete =
    isReady && required.every(({ key }) => lookups.get(key)?.matches ?? checks[key]?.status === "VERIFIED")
  // Without an answer about a required record nothing was missed, and nothing found either.
  const nextMisses = !verified || isFound ? 0 : isMissing ? misses + 1 : misses
  const staysVerified = verified && nextMisses < mostMisses
  const isVerified = isComplete || staysVerified
  // It may have begun while the clock was ahead.
  const since = isFound || (isComplete && !verified) ? now : Math.min(pendingSince, now)
  const waiting: DomainStatus = now - since >= verificationMs ? "FAILED" : "PENDING"
  return {
    verified: isVerified,
    status: isVerified ? "VERIFIED" : waiting,
    checks: Object.fromEntries(
      records.map((record) => [record.key, checkOf(record, domain, lookups, staysVerified, waiting)]),
    ),
    misses: nextMisses,
    pendingSince: since,
    lastCheckedAt: now,
  }
}

function checkOf(
  { key, required }: ExpectedRecord,
  { checks }: Domain,
  lookups: Lookups,
  staysVerified: boolean,
  waiting: DomainStatus,
): RecordChecks[string] {
  const lookup = lookups.get(key)
  const known = checks[key] ?? { status: "PENDING", found: [] }
  if (lookup === undefined) return known.status === "VERIFIED" ? known : { ...known, status: waiting }
  if (lookup.matches) return { status: "VERIFIED", found: [] }
  // A domain that is still verified counts as having all required records, even if one was not found this time.
  if (required && staysVerified) return { status: "VERIFIED", found: lookup.found }
  return { status: waiting, found: lookup.found }
}

/** @throws {DomainError} 404 */
export function missing(id: string): never {
  throw notFound("Domain", id)
}
