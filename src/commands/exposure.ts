import type { Config } from "../config.ts"
import type { Log } from "../kernel/log.ts"
import { isLoopbackHost } from "../kernel/loopback.ts"
import { capturedLanes, laneNames } from "../mail/transports.ts"

/** Warns when a sandbox can be reached from other machines: its keys are public, and SMTP requires none. */
export function warnOfExposure(log: Pick<Log, "warn">, { http, smtp }: Pick<Config, "http" | "smtp">): void {
  const open = [...new Set([http.host, smtp.host])].filter((host) => !isLoopbackHost(host))
  if (open.length === 0) return
  log.warn(
    `the sandbox listens on ${open.join(" and ")}: whoever reaches it there can read all mail and send, without signing in`,
  )
}

/** Warns when mail is sent whose links lead nowhere: recipients could not unsubscribe, and would report it as spam. */
export function warnOfDeadLinks(
  log: Pick<Log, "warn">,
  settings: Pick<Config, "mail" | "transports">,
  url: string,
): void {
  if (capturedLanes(settings).length === laneNames.length) return
  const { protocol, hostname } = new URL(url)
  const advice = "set http.base_url to the https address under which recipients reach this server"
  if (isLoopbackHost(hostname)) log.warn(`links in mail lead to ${url}, which only this machine reaches: ${advice}`)
  else if (protocol !== "https:") log.warn(`links in mail lead to ${url} without encryption: ${advice}`)
}

/**
 * Warns of a public address with a path: the API and the pages for recipients work below it, the dashboard does not.
 */
export function warnOfPath(log: Pick<Log, "warn">, url: string): void {
  const { origin, pathname } = new URL(url)
  if (pathname === "/") return
  log.warn(
    `the dashboard, where accounts are confirmed and passwords set, works at the root of a name only, not under ${url}: set http.base_url to an address without a path, such as ${origin}`,
  )
}

/** Warns when anybody who can reach the server can read its metrics. */
export function warnOfOpenMetrics(
  log: Pick<Log, "warn">,
  { http, metrics }: Pick<Config, "http" | "metrics">,
  url: string,
): void {
  const isReached = !isLoopbackHost(http.host) || !isLoopbackHost(new URL(url).hostname)
  if (metrics.token === null && isReached)
    log.warn(`whoever reaches ${url}/metrics may read the figures of this server: set metrics.token`)
}
