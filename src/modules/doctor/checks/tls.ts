import { X509Certificate } from "node:crypto"
import type { Config } from "../../../config.ts"
import { type Clock, day } from "../../../kernel/clock.ts"
import { reasonOf } from "../../../kernel/log.ts"
import { certificateOf } from "../../../net/connect.ts"
import { readCertificate } from "../../../tls/files.ts"
import { certificateAlertState, certificateStatus } from "../../../tls/status.ts"
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
  const { tlsCert: certPath, tlsKey: keyPath } = config.smtp
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
  return checks
}

function daysLeft(what: string, expiresAt: number, clock: Clock): Verdict {
  const days = Math.floor((expiresAt - clock.now()) / day)
  if (days < 0) return fail(`${what} has expired: renew it.`)
  const text = `${what} is valid for ${days} more ${days === 1 ? "day" : "days"}`
  return days < goodDays ? warn(`${text}: see why it is not renewed.`) : ok(`${text}.`)
}
