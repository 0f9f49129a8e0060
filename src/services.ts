import type { Engine } from "./engine.ts"
import type { SessionCookies } from "./http/cookies.ts"
import { createIdempotency, type Idempotency } from "./http/idempotency.ts"
import { createRateLimit, type RateLimit } from "./http/rate-limit.ts"
import { createSessions } from "./http/session.ts"
import { second } from "./kernel/clock.ts"
import { createLinks, type Links } from "./mail/links.ts"
import { createRenderer, type Renderer } from "./mail/render/index.ts"
import type { Transports } from "./mail/transports.ts"
import type { PasswordCost } from "./modules/accounts/index.ts"
import type { BackupTools } from "./modules/backups/index.ts"
import type { ExaminedParts } from "./modules/doctor/index.ts"
import type { InstanceInfo, Memory } from "./modules/instance/index.ts"
import type { SandboxDeps } from "./modules/sandbox/index.ts"
import { createDns, type Dns } from "./net/dns.ts"
import { createSafeFetch, type SafeFetch } from "./net/safe-fetch.ts"
import { settledFirst } from "./net/settled-first.ts"
import type { Files } from "./store/files.ts"

/** What modules get from the platform in addition to the engine. */
export interface Services {
  readonly baseUrl: () => string
  readonly cookies: SessionCookies
  readonly dns: Dns
  readonly files: Files
  readonly idempotency: Idempotency
  readonly links: Links
  /** For requests to addresses that come from users. */
  readonly outbound: SafeFetch
  /** The same for requests of workflows, with the exceptions of `webhooks.allow`. */
  readonly webhookOutbound: SafeFetch
  /** The memory of the process, which is released while the process is idle. */
  readonly memory?: Memory | undefined
  readonly passwordCost?: PasswordCost | undefined
  readonly rateLimit: RateLimit
  readonly renderer: Renderer
  readonly transports: Transports
  readonly smtpPorts: InstanceInfo["smtp"]
  /** How backups are taken, and where they go. */
  readonly backups?: BackupTools
  readonly state: InstanceInfo["state"]
  /** What `mailstead doctor` asks in tests, instead of public servers. */
  readonly examined?: Pick<ExaminedParts, "ntp" | "port25" | "machine" | "release"> | undefined
  /** Turns the clock, where it is manual. */
  readonly turning?: SandboxDeps["turning"]
}

/** What differs between the server and the commands beside it. */
interface OutsideServices
  extends Pick<
    Services,
    | "backups"
    | "baseUrl"
    | "examined"
    | "files"
    | "memory"
    | "passwordCost"
    | "smtpPorts"
    | "state"
    | "transports"
    | "turning"
  > {
  /** Instead of requests to other servers, in tests. */
  readonly outbound?: SafeFetch | undefined
  /** The clock of the limits of rendering, in tests. */
  readonly renderClock?: (() => number) | undefined
}

/** The services of the server, and of the commands beside it. */
export function createServices(
  { config, store, clock, realClock, secret }: Engine,
  { outbound, renderClock, ...outside }: OutsideServices,
): Services {
  const dns = createDns({ servers: config.dns.servers, clock: realClock, timeoutMs: 5 * second })
  return {
    ...outside,
    cookies: { sessions: createSessions(secret), secure: () => outside.baseUrl().startsWith("https:") },
    dns,
    idempotency: createIdempotency({ store, clock, keepMs: config.limits.idempotencyMs }),
    links: createLinks(outside.baseUrl, secret),
    outbound: outbound ?? createSafeFetch({ dns, clock: realClock }),
    webhookOutbound: settledFirst(
      store,
      outbound ?? createSafeFetch({ dns, clock: realClock, allow: config.webhooks.allow }),
    ),
    rateLimit: createRateLimit(config.limits, realClock),
    renderer: createRenderer({ now: renderClock }),
  }
}
