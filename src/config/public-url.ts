import type { Config } from "./model.ts"

/** `http://HOST:PORT`, IPv6 addresses in brackets. */
export const addressOf = (host: string, port: number): string =>
  `http://${host.includes(":") ? `[${host}]` : host}:${port}`

/**
 * The prefix of public links of a server that listens on `port`. For a server that listens on every address it is
 * loopback.
 */
export function publicUrl(http: Config["http"], port: number): string {
  const loopback: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "::1" }
  return http.baseUrl ?? addressOf(loopback[http.host] ?? http.host, port)
}
