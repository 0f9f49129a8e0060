import type { Level } from "../kernel/log.ts"
import type { Sender } from "./net-kinds.ts"

/**
 * The whole configuration, deeply frozen. Durations are milliseconds, sizes bytes; `null` is "not set". Contract A8.2 and
 * B9.7 say what each setting does; the names in the file are those of `keys.ts`.
 */
export interface Config {
  readonly mode: Mode
  /** The data folder, as given: relative to the working directory. */
  readonly data: string
  readonly http: {
    readonly host: string
    /** 0 lets the system pick one. */
    readonly port: number
    /** Prefix of public links without a slash at the end. Null: the address listened on, see `publicUrl`. */
    readonly baseUrl: string | null
    readonly corsOrigins: readonly string[]
  }
  readonly log: { readonly level: Level; readonly format: "text" | "json" }
  readonly limits: {
    /** Per project; 0 is no limit. */
    readonly requestsPerMinute: number
    readonly idempotencyMs: number
    readonly attachments: number
    /** All attachments of one mail together. */
    readonly attachmentBytes: number
    /** Per project; 0 is no limit. */
    readonly emailsPerSecond: number
  }
  readonly mail: {
    /** In order of preference; empty: mail is captured. */
    readonly url: readonly string[]
    /** A name in `transports`, or null for `mail.url`. */
    readonly transactional: string | null
    readonly bulk: string | null
  }
  readonly transports: Readonly<Record<string, TransportConfig>>
  readonly smtp: {
    readonly host: string
    /** The name in greetings; null: the machine's own. */
    readonly hostname: string | null
    /** Ports: 0 is off. */
    readonly submissionPort: number
    readonly securePort: number
    readonly inboundPort: number
    /** Paths of PEM files. */
    readonly tls: { readonly cert: string; readonly key: string } | null
  }
  readonly ses: { readonly region: string | null; readonly topics: readonly string[] }
  readonly postmark: {
    readonly token: string | null
    readonly webhook: { readonly user: string; readonly password: string } | null
  }
  readonly webhooks: {
    /** Addresses, ranges and host names that requests to closed ranges may go to. */
    readonly allow: readonly string[]
    readonly retryMs: readonly number[]
  }
  readonly dns: { /** Empty: the system's. */ readonly servers: readonly string[] }
  /** Domains beside the built-in lists, in ASCII form. */
  readonly verification: {
    readonly disposable: readonly string[]
    readonly alias: readonly string[]
    readonly personal: readonly string[]
  }
  readonly accounts: { readonly signups: boolean }
  readonly systemMail: { readonly from: Sender | null }
  readonly security: { readonly autoDisable: boolean }
  readonly metrics: { readonly token: string | null }
  readonly domains: { readonly checkMs: number }
  readonly segments: { readonly computeMs: number }
  readonly retention: { readonly contentMs: number; readonly requestLogMs: number; readonly sweepMs: number }
}

export type Mode = "serve" | "sandbox"

export interface TransportConfig {
  /** At least one, in order of preference. */
  readonly url: readonly string[]
  /** Null: no limit but the transport's own. */
  readonly maxPerSecond: number | null
}
