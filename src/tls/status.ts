import type { Config } from "../config.ts"
import type { AlertState } from "../kernel/alert-state.ts"
import { day } from "../kernel/clock.ts"
import { reasonOf } from "../kernel/log.ts"
import { acmeFolder, purposeOf } from "./acme/folder.ts"
import { factsOf } from "./certificate.ts"
import { readCertificate } from "./files.ts"

/**
 * The state of the server's certificate, read from its files, so that a command beside a running server sees the same.
 */
interface CertificateStatus {
  readonly names: readonly string[]
  /** Whether the operator renews it. */
  readonly isOwn: boolean
  /** In ms; undefined when there is no certificate. */
  readonly expiresAt: number | undefined
  /** Why there is none, or no new one; null when all is well. */
  readonly problem: string | null
  /** In ms; undefined unless the last attempt failed. */
  readonly nextAttemptAt: number | undefined
}

/** How early the operator is warned about a certificate that they renew themselves. */
const earlyMs = 7 * day

/** Undefined when the server has no TLS of its own. */
export function certificateStatus({ data, http }: Pick<Config, "data" | "http">): CertificateStatus | undefined {
  const { domains: names, tlsCert: certPath, tlsKey: keyPath, acmeDirectory } = http
  if (names === null) return undefined
  if (certPath !== null && keyPath !== null) {
    try {
      const { expiresAt, names: found } = factsOf(readCertificate({ certPath, keyPath }))
      const isMissing = names.some((name) => !isFor(found, name))
      const problem = isMissing ? `it is for ${found.join(", ") || "no host name"}` : null
      return { names, isOwn: true, expiresAt, problem, nextAttemptAt: undefined }
    } catch (cause) {
      return { names, isOwn: true, expiresAt: undefined, problem: reasonOf(cause), nextAttemptAt: undefined }
    }
  }
  const folder = acmeFolder(data)
  const attempts = folder.attempts()
  const failure = attempts?.of === purposeOf(acmeDirectory, names) && attempts.count > 0 ? attempts : undefined
  const kept = folder.certificate()
  return {
    names,
    isOwn: false,
    expiresAt: kept && factsOf(kept.certificate).expiresAt,
    problem: failure?.problem ?? null,
    nextAttemptAt: failure?.nextAt,
  }
}

/** The names of the certificate that SMTP shows; undefined without one. Throws when its files cannot be used. */
export function smtpCertificateNames({ http, smtp }: Pick<Config, "http" | "smtp">): readonly string[] | undefined {
  for (const { tlsCert: certPath, tlsKey: keyPath } of [smtp, http])
    if (certPath !== null && keyPath !== null) return factsOf(readCertificate({ certPath, keyPath })).names
  return http.domains ?? undefined
}

/** Whether a certificate for these names is one for `name`. */
export const isFor = (names: readonly string[], name: string): boolean => names.some((one) => covers(one, name))

/** Whether a name of a certificate matches this name: `*` stands for one label (RFC 6125, 6.4.3). */
const covers = (one: string, name: string): boolean =>
  one === name.toLowerCase() || (one.startsWith("*.") && one.slice(1) === name.toLowerCase().replace(/^[^.]+/, ""))

/** Whether the certificate needs attention. */
export function certificateAlertState(status: CertificateStatus, now: number): AlertState {
  const { names, isOwn, expiresAt, problem, nextAttemptAt } = status
  const [name = ""] = names
  const isShort = expiresAt !== undefined && expiresAt - now < (isOwn ? earlyMs : 0)
  const verb = isOwn ? (expiresAt === undefined ? "read" : "used") : expiresAt === undefined ? "obtained" : "renewed"
  const sentences = [
    ...(problem === null
      ? []
      : [`The certificate for ${isOwn ? names.join(", ") : name} cannot be ${verb}: ${problem.replace(/\.$/, "")}.`]),
    expiresAt === undefined
      ? `There is no certificate for ${name} yet.`
      : `The certificate for ${name} ${endOf(expiresAt, now)}.`,
    ...(nextAttemptAt === undefined || problem === null ? [] : [`The next attempt is at ${timeOf(nextAttemptAt)}.`]),
  ]
  return { key: "certificate", active: problem !== null || isShort, sentence: sentences.join(" ") }
}

/** Whether the separate certificate of SMTP needs attention; undefined when there is none. */
export function smtpCertificateAlertState(
  { tlsCert: certPath, tlsKey: keyPath }: Pick<Config["smtp"], "tlsCert" | "tlsKey">,
  now: number,
): AlertState | undefined {
  if (certPath === null || keyPath === null) return undefined
  const key = "smtp certificate"
  try {
    const { expiresAt } = factsOf(readCertificate({ certPath, keyPath }))
    const sentence = `The certificate of SMTP in ${certPath} ${endOf(expiresAt, now)}: renew it, or programs will submit no mail.`
    return { key, active: expiresAt - now < earlyMs, sentence }
  } catch (cause) {
    return { key, active: true, sentence: `The certificate of SMTP cannot be used: ${reasonOf(cause)}.` }
  }
}

const endOf = (at: number, now: number): string => `${at <= now ? "expired" : "expires"} on ${dateOf(at)}`
const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10)
const timeOf = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`
