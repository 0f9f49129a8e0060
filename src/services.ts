import type { SessionCookies } from "./http/cookies.ts"
import type { Idempotency } from "./http/idempotency.ts"
import type { RateLimit } from "./http/rate-limit.ts"
import type { Links } from "./mail/links.ts"
import type { Renderer } from "./mail/render/index.ts"
import type { Transports } from "./mail/transports.ts"
import type { PasswordCost } from "./modules/accounts/index.ts"
import type { Surroundings } from "./modules/doctor/index.ts"
import type { InstanceInfo } from "./modules/instance/index.ts"
import type { SandboxDeps } from "./modules/sandbox/index.ts"
import type { Dns } from "./net/dns.ts"
import type { SafeFetch } from "./net/safe-fetch.ts"
import type { Files } from "./store/files.ts"

/** What modules get from the platform in addition to the engine. */
export interface Services {
  readonly baseUrl: () => string
  readonly cookies: SessionCookies
  readonly dns: Dns
  readonly files: Files
  readonly idempotency: Idempotency
  readonly links: Links
  /** For requests to addresses that others have named. */
  readonly outbound: SafeFetch
  /** The same for the requests of workflows: `webhooks.allow` has exceptions for them. */
  readonly webhookOutbound: SafeFetch
  readonly passwordCost?: PasswordCost | undefined
  readonly rateLimit: RateLimit
  readonly renderer: Renderer
  readonly transports: Transports
  readonly smtpPorts: InstanceInfo["smtp"]
  readonly state: InstanceInfo["state"]
  /** Replacements in tests of what `mailstead doctor` asks. */
  readonly doctored?: Pick<Surroundings, "ntp" | "port25" | "machine"> | undefined
  /** Turns the clock, where it is manual. */
  readonly turning?: SandboxDeps["turning"]
}
