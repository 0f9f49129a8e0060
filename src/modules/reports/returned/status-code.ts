import type { Report } from "../../emails/index.ts"

/** An enhanced status code (RFC 3463), and nothing that is part of a version or an IP address. */
const enhanced = /(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?!\.?\d)/

export const statusCodeIn = (text: string): string | undefined => enhanced.exec(text)?.[0]

/** A code that says no more than its class, in which case the words of the other server often have a better one. */
const isVague = (code: string | undefined): boolean => code === undefined || code.endsWith(".0.0")

/** The code of a failure: that of the report, or a more exact one in the reply of the other server. */
export function exactCode(status: string, reply: string): string | undefined {
  const code = statusCodeIn(status)
  return isVague(code) ? (statusCodeIn(reply) ?? code) : code
}

/** Codes of addresses and domains that do not exist (contract B9.6.4); any other failure may pass. */
const permanent = /^5\.(?:1\.\d{1,3}|2\.1|4\.4)$/

export const bounceOf = (code: string | undefined): Report => ({
  kind: "bounce",
  bounceType: code !== undefined && permanent.test(code) ? "Permanent" : "Transient",
})
