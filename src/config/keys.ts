import {
  boolean,
  file,
  folder,
  integer,
  type Kind,
  listOf,
  nonEmpty,
  number,
  oneOf,
  port,
  secret,
  text,
} from "./kinds.ts"
import { allowedHosts, baseUrl, dnsServers, domainNames, host, hostName, origins, sender } from "./net-kinds.ts"
import { transportUrls } from "./transport-url.ts"

/** One setting: how it is read, and what it is when nobody sets it. */
export interface Key<T> {
  readonly kind: Kind<T>
  readonly fallback: T
  /** The fallback in the sandbox, where it differs. */
  readonly sandbox?: T
}

const key = <T>(kind: Kind<T>, fallback: T, sandbox?: T): Key<T> =>
  sandbox === undefined ? { kind, fallback } : { kind, fallback, sandbox }

/** Nothing is meant when it is not set, or a value that follows from other settings. */
const optional = <T>(kind: Kind<T>): Key<T | null> => ({ kind, fallback: null })

const count = integer({ least: 0 })
const positive = number({ least: 0, above: true })
const duration = number({ least: 0 })

/**
 * Every setting of contract A8.2 and B9.7 (`smtp.host`, `log.*` and `verification.*` are ours) but the transports,
 * whose names are the operator's. The name here is the place in the file; `config/mailstead.example.toml` says what each
 * is for.
 */
export const keys = {
  data: key(folder, "./data"),

  "http.host": key(host, "127.0.0.1"),
  "http.port": key(port, 3000),
  "http.base_url": optional(baseUrl),
  "http.cors_origins": key(origins, []),

  "log.level": key(oneOf("debug", "info", "warn", "error"), "info"),
  "log.format": key(oneOf("text", "json"), "text"),

  "limits.requests_per_minute": key(count, 1000),
  "limits.idempotency_hours": key(positive, 24),
  "limits.attachments": key(count, 10),
  "limits.attachment_mb": key(number({ least: 0, most: 40 }), 10),
  "limits.emails_per_second": key(number({ least: 0 }), 100, 0),

  "mail.url": key(transportUrls, []),
  "mail.transactional": optional(text),
  "mail.bulk": optional(text),

  "smtp.host": optional(host),
  "smtp.hostname": optional(hostName),
  "smtp.submission_port": key(port, 0, 1025),
  "smtp.secure_port": key(port, 0),
  "smtp.inbound_port": key(port, 0),
  "smtp.tls_cert": optional(file),
  "smtp.tls_key": optional(file),

  "ses.region": optional(text),
  "ses.topics": key(listOf(text), []),
  "postmark.token": optional(secret),
  "postmark.webhook_user": optional(text),
  "postmark.webhook_password": optional(secret),

  "webhooks.allow": key(allowedHosts, []),
  "webhooks.retry_seconds": key(listOf(duration), [5, 30, 120]),
  "dns.servers": key(dnsServers, []),
  "verification.disposable": key(domainNames, []),
  "verification.alias": key(domainNames, []),
  "verification.personal": key(domainNames, []),

  "accounts.signups": key(boolean, true),
  "system_mail.from": optional(sender),
  "security.auto_disable": key(boolean, true),
  "metrics.token": optional(secret),

  "domains.check_seconds": key(positive, 300),
  "segments.compute_seconds": key(positive, 300),
  "retention.content_days": key(duration, 90),
  "retention.request_log_days": key(duration, 30),
  "retention.sweep_seconds": key(positive, 86_400),
} as const satisfies Record<string, Key<unknown>>

export type KeyPath = keyof typeof keys
export type KeyValue<P extends KeyPath> = (typeof keys)[P] extends Key<infer T> ? T : never

export const keyPaths: readonly string[] = Object.keys(keys)

export const isKeyPath = (path: string): path is KeyPath => Object.hasOwn(keys, path)

/** The settings of one `[transports.NAME]` (contract A8.2). */
export const transportKeys = {
  url: nonEmpty(transportUrls, "a transport URL"),
  max_per_second: positive,
} as const

/** `http.base_url` is `MAILSTEAD_HTTP_BASE_URL`. */
export const variableOf = (path: string): string => `MAILSTEAD_${path.replaceAll(/[.-]/g, "_").toUpperCase()}`
