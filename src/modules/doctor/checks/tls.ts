import { X509Certificate } from "node:crypto"
import type { Config } from "../../../config.ts"
import { type Clock, day } from "../../../kernel/clock.ts"
import { parseDomain } from "../../../kernel/email-address.ts"
import { reasonOf } from "../../../kernel/log.ts"
import { certificateOf } from "../../../net/connect.ts"
import { readCertificate } from "../../../tls/files.ts"
import { certificateAlertState, certificateStatus, isFor, smtpCertificateNames } from "../../../tls/status.ts"
import { type Check, clause, fail, ok, type Verdict, warn } from "../check.ts"

/** Certificates are renewed a month before their end, so that one with less is not being renewed. */
const goodDays = 14

interface TlsDeps {
  readonly config: Pick<Config, "data" | "http" | "smtp">
  readonly baseUrl: () => string
  readonly clock: Clock
}

export function tlsChecks({ config, baseUrl, clock }: TlsDeps): Check[] {
  const checks: Check[] = []
  const own = certificateStatus(config)
  if (own)
    checks.push({
      name: "certificate",
      run() {
        const { active, sentence } = certificateAlertState(own, clock.now())
        return active ? fail(sentence) : own.expiresAt === undefined ? warn(sentence) : ok(sentence)
      },
    })
  if (config.http.baseUrl !== null || own) {
    const url = new URL(baseUrl())
    const host = url.hostname.replace(/^\[|\]$/g, "")
    checks.push({
      name: "tls",
      async run(abort) {
        if (url.protocol !== "https:")
          return warn("http.base_url is not https, so links and passwords travel in the clear: put TLS before it.")
        const found = await certificateOf(host, Number(url.port || 443), abort)
        if (typeof found === "string")
          return fail(`${url.origin} offers no TLS (${clause(found)}): look at the proxy and the firewall.`)
        if (found.fault !== undefined)
          return fail(`Clients do not trust the certificate of ${url.origin} (${clause(found.fault)}): get a new one.`)
        return daysLeft(`The certificate of ${url.origin}`, found.expiresAt, clock)
      },
    })
  }
  const { tlsCert: certPath, tlsKey: keyPath, submissionPort, securePort } = config.smtp
  const hasSubmission = submissionPort !== 0 || securePort !== 0
  if (certPath !== null && keyPath !== null)
    checks.push({
      name: "smtp tls",
      run() {
        try {
          const { validTo } = new X509Certificate(readCertificate({ certPath, keyPath }).cert)
          return daysLeft(`The certificate in ${certPath}`, Date.parse(validTo), clock)
        } catch (cause) {
          return fail(`${certPath} cannot be used (${clause(reasonOf(cause))}): put a certificate with its key there.`)
        }
      },
    })
  const name = hasSubmission ? (config.smtp.hostname ?? parseDomain(new URL(baseUrl()).hostname)) : undefined
  if (name !== undefined && (certPath !== null || own))
    checks.push({ name: "smtp name", run: () => checkName(name, smtpCertificateNames(config)) })
  return checks
}

/** Programs refuse a certificate that is not for the name that they are told to submit mail to (contract B7.3.6). */
function checkName(name: string, names: readonly string[] = []): Verdict {
  if (isFor(names, name)) return ok(`The certificate of SMTP is for ${name}.`)
  const what = `The certificate of SMTP is for ${names.join(", ") || "no host name"}, not for ${name}`
  return warn(`${what}, where programs submit mail, so they refuse it: get one for it, or set smtp.hostname.`)
}

function daysLeft(what: string, expiresAt: number, clock: Clock): Verdict {
  const days = Math.floor((expiresAt - clock.now()) / day)
  if (days < 0) return fail(`${what} has expired: renew it.`)
  const text = `${what} is valid for ${days} more ${days === 1 ? "day" : "days"}`
  return days < goodDays ? warn(`${text}: see why it is not renewed.`) : ok(`${text}.`)
}
