import { type Clock, day, hour, minute } from "../../kernel/clock.ts"
import { type Log, reasonOf } from "../../kernel/log.ts"
import { createLoop } from "../../kernel/loop.ts"
import type { SafeFetch } from "../../net/safe-fetch.ts"
import { type Certificate, type Certificates, createCertificateHolder, factsOf } from "../certificate.ts"
import { type AcmeClient, AcmeProblem, createAcmeClient } from "./client.ts"
import { type AcmeFolder, type Attempts, purposeOf } from "./folder.ts"
import { obtainCertificate } from "./order.ts"
import { type RenewalAdvice, renewalAdvice, usualRenewalAt } from "./renewal-info.ts"

interface AcmeSettings {
  /** At least one. */
  readonly names: readonly string[]
  readonly directory: string
  readonly email: string | null
}

interface AcmeDeps {
  readonly folder: AcmeFolder
  readonly fetch: SafeFetch
  readonly clock: Clock
  readonly log: Log
  readonly random: () => number
  /** The answers to challenges, by their token. */
  readonly challenges: Map<string, string>
}

/** Well below what authorities allow: Let's Encrypt takes five failures of a name per hour. */
const pauses = [minute, 5 * minute, 15 * minute, hour, 2 * hour, 4 * hour, 8 * hour, 12 * hour]
/** The longest pause: a later next attempt was stored while the clock was ahead. */
const longestPauseMs = 25 * hour
const askAgainMs = 6 * hour
/** Advice is not followed before: an authority that wants a new certificate to be renewed wants it of the next one, too. */
const leastUseMs = day

/** The certificate of an authority that speaks ACME (RFC 8555): obtained, kept in the data folder, and renewed in time. */
export function createAcmeCertificates({ names, directory, email }: AcmeSettings, deps: AcmeDeps): Certificates {
  const { folder, fetch, clock, log, random, challenges } = deps
  const holder = createCertificateHolder()
  const of = purposeOf(directory, names)
  const none: Attempts = { count: 0, nextAt: 0, problem: null, of }
  let attempts = none
  let advice: RenewalAdvice | undefined
  /** What the certificate in use was obtained for. */
  let currentOf: string | undefined

  const pauseAfter = (count: number): number =>
    Math.round((pauses[Math.min(count, pauses.length) - 1] ?? 0) * (0.9 + 0.2 * random()))

  function renewAt(certificate: Certificate | undefined): number {
    if (certificate === undefined || currentOf !== of) return 0
    const advised = advice?.renewAt ?? Number.POSITIVE_INFINITY
    return Math.min(usualRenewalAt(certificate), Math.max(advised, factsOf(certificate).beginsAt + leastUseMs))
  }

  const clientFor = (abort: AbortSignal) => {
    const account = folder.account()
    return { account, client: createAcmeClient({ directory, send: fetch, clock, key: account, abort }) }
  }

  /** Failures are ignored: the certificate is then renewed at the usual time. */
  async function askForAdvice(certificate: Certificate, abort: AbortSignal): Promise<void> {
    if (clock.now() < (advice?.askAt ?? 0)) return
    const unknown = { renewAt: Number.POSITIVE_INFINITY, askAt: clock.now() + askAgainMs }
    const ask = async () => renewalAdvice(clientFor(abort).client, certificate, { clock, random })
    const found = await ask().catch(() => undefined)
    advice = found ?? unknown
    log.debug("The authority was asked when to renew", { names: names.join(" "), known: found !== undefined })
  }

  async function obtain(abort: AbortSignal): Promise<Certificate> {
    const { account, client } = clientFor(abort)
    await client.signIn(email)
    const order = (replaces?: string) =>
      obtainCertificate({ client, account, challenges, clock, abort }, { names, replaces })
    const replaces = await replacedId(client, holder.current())
    if (replaces === undefined) return order()
    return order(replaces).catch((cause) => {
      // An order may have replaced it whose certificate was never downloaded.
      if (cause instanceof AcmeProblem && ["alreadyReplaced", "malformed"].includes(cause.type ?? "")) return order()
      throw cause
    })
  }

  async function attempt(abort: AbortSignal): Promise<void> {
    const before = attempts
    const count = before.count + 1
    attempts = { ...before, count, nextAt: clock.now() + pauseAfter(count) }
    try {
      folder.keepAttempts(attempts)
      const certificate = await obtain(abort)
      // Used even before it is stored: on a full disk another order would not help.
      advice = undefined
      currentOf = of
      holder.set(certificate)
      folder.keepCertificate({ certificate, of })
      // Else it would be replaced every minute.
      if (clock.now() >= usualRenewalAt(certificate)) throw dueAtOnce(certificate, clock.now())
      attempts = none
      folder.keepAttempts(attempts)
      const { expiresAt } = factsOf(certificate)
      log.info("There is a new certificate", { names: names.join(" "), expires: new Date(expiresAt).toISOString() })
    } catch (cause) {
      if (abort.aborted) folder.keepAttempts(before)
      else failed(count, cause)
    }
  }

  function failed(count: number, cause: unknown): void {
    const problem = reasonOf(cause)
    const wait = cause instanceof AcmeProblem ? (cause.retryAfterMs ?? 0) : 0
    const nextAt = clock.now() + Math.max(pauseAfter(count), wait)
    attempts = { of, count, nextAt, problem }
    log.warn("No certificate could be obtained", {
      names: names.join(" "),
      reason: problem,
      next: new Date(nextAt).toISOString(),
    })
    try {
      folder.keepAttempts(attempts)
    } catch {
      // A failure has the same cause as above, or only makes the next attempt earlier after a restart.
    }
  }

  async function step(abort: AbortSignal): Promise<void> {
    const current = holder.current()
    if (current) await askForAdvice(current, abort)
    const now = clock.now()
    const isAhead = attempts.nextAt > now + longestPauseMs
    if (abort.aborted) return
    if (now < renewAt(current)) forgetFailures(current)
    else if (now >= attempts.nextAt || isAhead) await attempt(abort)
  }

  /** A certificate that is stored and not due needs no other attempt: the clock, or the authority's advice, was wrong. */
  function forgetFailures(current: Certificate | undefined): void {
    if (attempts.count === 0 || folder.certificate()?.certificate.key.trim() !== current?.key.trim()) return
    attempts = none
    folder.keepAttempts(attempts)
  }

  // Once a minute, because the clock may be set.
  const loop = createLoop({ clock, log, name: "certificate", idleMs: minute, step })

  return {
    current: holder.current,
    onCertificate: holder.onCertificate,
    open() {
      const stored = folder.attempts()
      if (stored?.of === of) attempts = stored
      const kept = folder.certificate()
      currentOf = kept?.of
      if (kept) holder.set(kept.certificate)
    },
    start: () => loop.start(),
    stop: () => loop.stop(),
  }
}

function dueAtOnce(certificate: Certificate, now: number): AcmeProblem {
  const { beginsAt, expiresAt } = factsOf(certificate)
  const [begins, expires, present] = [beginsAt, expiresAt, now].map(
    (at) => `${new Date(at).toISOString().slice(0, 16)}Z`,
  )
  return new AcmeProblem(
    `The new certificate is valid from ${begins} to ${expires}, and by the clock of this machine it is ${present}: set the clock if it is wrong.`,
  )
}

/** How an order names the certificate in use, with an authority that wants to know (RFC 9773, 5). */
async function replacedId(client: AcmeClient, current: Certificate | undefined): Promise<string | undefined> {
  if (current === undefined || (await client.resource("renewalInfo")) === undefined) return undefined
  return (await import("./signing-request.ts")).renewalIdOf(current.cert)
}
