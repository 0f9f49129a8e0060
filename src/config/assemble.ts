import { day, hour, second } from "../kernel/clock.ts"
import { nearest } from "../kernel/suggest.ts"
import { type ConfigFault, didYouMean } from "./fault.ts"
import { type Key, type KeyPath, type KeyValue, keys, transportKeys } from "./keys.ts"
import type { Kind } from "./kinds.ts"
import type { Config, Mode, TransportConfig } from "./model.ts"
import { type Given, transportsIn } from "./sources.ts"

/** Reads every given value by its kind and puts the whole together. What is wrong goes to `faults`, a default takes its place. */
export function assemble(mode: Mode, given: ReadonlyMap<string, Given>, faults: ConfigFault[]): Config {
  const value = <P extends KeyPath>(path: P): KeyValue<P> => {
    const { kind, fallback, sandbox } = keys[path] as Key<KeyValue<P>>
    return readGiven(path, kind, given, faults) ?? (mode === "sandbox" ? (sandbox ?? fallback) : fallback)
  }
  const transports = readTransports(given, faults)
  const host = value("http.host")
  return {
    mode,
    data: value("data"),
    http: {
      host,
      port: value("http.port"),
      baseUrl: value("http.base_url"),
      corsOrigins: value("http.cors_origins"),
    },
    log: { level: value("log.level"), format: value("log.format") },
    limits: {
      requestsPerMinute: value("limits.requests_per_minute"),
      idempotencyMs: Math.round(value("limits.idempotency_hours") * hour),
      attachments: value("limits.attachments"),
      attachmentBytes: Math.round(value("limits.attachment_mb") * megabyte),
      emailsPerSecond: value("limits.emails_per_second"),
    },
    mail: {
      url: value("mail.url"),
      transactional: named("mail.transactional", value("mail.transactional"), transports, faults),
      bulk: named("mail.bulk", value("mail.bulk"), transports, faults),
    },
    transports,
    smtp: {
      host: value("smtp.host") ?? host,
      hostname: value("smtp.hostname"),
      submissionPort: value("smtp.submission_port"),
      securePort: value("smtp.secure_port"),
      inboundPort: value("smtp.inbound_port"),
      tls: certificate(value("smtp.tls_cert"), value("smtp.tls_key"), value("smtp.secure_port"), faults),
    },
    ses: { region: value("ses.region"), topics: value("ses.topics") },
    postmark: {
      token: value("postmark.token"),
      webhook: credentials(value("postmark.webhook_user"), value("postmark.webhook_password"), faults),
    },
    webhooks: { allow: value("webhooks.allow"), retryMs: value("webhooks.retry_seconds").map(secondsToMs) },
    dns: { servers: value("dns.servers") },
    verification: {
      disposable: value("verification.disposable"),
      alias: value("verification.alias"),
      personal: value("verification.personal"),
    },
    accounts: { signups: value("accounts.signups") },
    systemMail: { from: value("system_mail.from") },
    security: { autoDisable: value("security.auto_disable") },
    metrics: { token: value("metrics.token") },
    domains: { checkMs: secondsToMs(value("domains.check_seconds")) },
    segments: { computeMs: secondsToMs(value("segments.compute_seconds")) },
    retention: {
      contentMs: Math.round(value("retention.content_days") * day),
      requestLogMs: Math.round(value("retention.request_log_days") * day),
      sweepMs: secondsToMs(value("retention.sweep_seconds")),
    },
  }
}

const megabyte = 1_048_576
const secondsToMs = (seconds: number): number => Math.round(seconds * second)

/** Undefined when nobody set it, or set it to something else than `kind`. */
function readGiven<T>(
  path: string,
  kind: Kind<T>,
  given: ReadonlyMap<string, Given>,
  faults: ConfigFault[],
): T | undefined {
  const one = given.get(path)
  if (one === undefined) return undefined
  const reading = kind.read(one.value, one.origin)
  if ("value" in reading) return reading.value
  const got = reading.got ?? kind.show(one.value)
  faults.push({ path, message: `expected ${reading.expected}, got ${got} (${one.from})` })
  return undefined
}

function readTransports(given: ReadonlyMap<string, Given>, faults: ConfigFault[]): Config["transports"] {
  const transports: Record<string, TransportConfig> = {}
  for (const name of transportsIn(given.keys())) {
    const path = `transports.${name}`
    const url = readGiven(`${path}.url`, transportKeys.url, given, faults) ?? []
    const maxPerSecond = readGiven(`${path}.max_per_second`, transportKeys.max_per_second, given, faults) ?? null
    if (!given.has(`${path}.url`))
      faults.push({ path: `${path}.url`, message: "expected a transport URL, got nothing" })
    transports[name] = { url, maxPerSecond }
  }
  return transports
}

function named(
  path: string,
  name: string | null,
  transports: Config["transports"],
  faults: ConfigFault[],
): string | null {
  if (name === null || Object.hasOwn(transports, name)) return name
  const near = nearest(name, Object.keys(transports))
  faults.push({ path, message: `expected the NAME of a [transports.NAME], got "${name}"${didYouMean(near)}` })
  return null
}

function certificate(
  cert: string | null,
  key: string | null,
  securePort: number,
  faults: ConfigFault[],
): Config["smtp"]["tls"] {
  if (cert !== null && key !== null) return { cert, key }
  if (cert !== null) faults.push({ path: "smtp.tls_key", message: "expected the key of smtp.tls_cert, got nothing" })
  if (key !== null)
    faults.push({ path: "smtp.tls_cert", message: "expected the certificate of smtp.tls_key, got nothing" })
  if (cert === null && key === null && securePort !== 0)
    faults.push({ path: "smtp.tls_cert", message: "expected a certificate for smtp.secure_port, got nothing" })
  return null
}

function credentials(
  user: string | null,
  password: string | null,
  faults: ConfigFault[],
): Config["postmark"]["webhook"] {
  if (user !== null && password !== null) return { user, password }
  if (user !== null || password !== null) {
    const missing = user === null ? "postmark.webhook_user" : "postmark.webhook_password"
    faults.push({ path: missing, message: "expected user and password together, got only the other one" })
  }
  return null
}
