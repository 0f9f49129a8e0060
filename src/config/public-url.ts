import { parseDomain } from "../kernel/email-address.ts"
import type { Config } from "./model.ts"

/** `http://HOST:PORT`, IPv6 addresses in brackets. */
export const addressOf = (host: string, port: number): string =>
  `http://${host.includes(":") ? `[${host}]` : host}:${port}`

/**
 * The prefix of public links of a server that listens on `port`, and for `http.domains` on `tlsPort`. For a server without
 * a name that listens on every address it is loopback.
 */
export function publicUrl(http: Config["http"], port: number, tlsPort: number = http.tlsPort): string {
  const name = http.domains?.[0]
  if (name !== undefined) return http.baseUrl ?? `https://${name}${tlsPort === 443 ? "" : `:${tlsPort}`}`
  const loopback: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "::1" }
  return http.baseUrl ?? addressOf(loopback[http.host] ?? http.host, port)
}

/** The name of this mail server, at the public address `url`; undefined when that is an IP address or of a local machine. */
export const mailHostOf = ({ hostname }: Config["smtp"], url: string): string | undefined =>
  hostname ?? parseDomain(new URL(url).hostname)
