import { Elysia } from "elysia"
import type { Engine } from "./engine.ts"
import { createAuthenticator, type Directory } from "./http/auth.ts"
import { dashboardHost } from "./http/dashboard.ts"
import { createIdempotency } from "./http/idempotency.ts"
import { withHead, withLongHost } from "./http/listen.ts"
import { documentation } from "./http/openapi.ts"
import { createProtect } from "./http/protect.ts"
import { createRateLimit } from "./http/rate-limit.ts"
import { httpFrame } from "./http/server.ts"
import { createSessions } from "./http/session.ts"
import { dashboardShell } from "./http/shell.ts"
import { builtInOwner } from "./modules/accounts/index.ts"
import { campaignRoutes } from "./modules/campaigns/index.ts"
import { bulkRoutes, contactRoutes, fieldRoutes, importRoutes } from "./modules/contacts/index.ts"
import { emailBrowserRoutes, emailRoutes, sendRoute } from "./modules/emails/index.ts"
import { eventRoutes, trackRoute } from "./modules/events/index.ts"
import { badLinkResponse } from "./modules/hosted/index.ts"
import { housekeeping, instanceRoutes } from "./modules/instance/index.ts"
import * as sandbox from "./modules/sandbox/index.ts"
import { memberRoutes, previewRoute, segmentRoutes } from "./modules/segments/index.ts"
import { templateRoutes } from "./modules/templates/index.ts"
import { verifyRoute } from "./modules/verification/index.ts"
import type { Rooms } from "./modules.ts"

/** Keys that one can type (contract A8.3.1). */
export const sandboxKeys = { public: "pk_sandbox", secret: "sk_sandbox" }

/** What `GET /config` tells of the house beside its configuration. */
export interface InstanceInfo {
  readonly baseUrl: () => string
  readonly captures: boolean
  readonly smtp: () => { readonly submission: number | null; readonly secure: number | null }
}

/** The HTTP doors of all rooms; resolves requests as the server would. */
export function createRoutes(engine: Engine, rooms: Rooms, around: InstanceInfo) {
  const { config, clock, ids, store, bus, jobs, secret } = engine
  const { baseUrl } = around
  const isSandbox = config.mode === "sandbox"
  const sessions = createSessions(secret)
  const directory: Directory = { projectOfKey: rooms.projects.projectOfKey, membership: rooms.accounts.membership }
  const auth = createAuthenticator({ directory, sessions, clock, publicOrigin: () => new URL(baseUrl()).origin })
  const idempotency = createIdempotency({ store, clock, keepMs: config.limits.idempotencyMs })
  const rateLimit = createRateLimit(config.limits.requestsPerMinute, clock)
  const protect = createProtect({ auth, rateLimit, idempotency })
  const sweeping = housekeeping({ bus, jobs, idempotency })
  jobs.register(sweeping.handlers, sweeping.recurring)
  const http = httpFrame(engine, { origins: config.http.corsOrigins })
    .use(instanceRoutes(engine, around))
    .use(trackRoute(rooms.events, protect))
    .use(eventRoutes(rooms.events, protect))
    .use(verifyRoute(rooms.verification, protect))
    .use(sendRoute(rooms.emails, protect, { count: config.limits.attachments, bytes: config.limits.attachmentBytes }))
    .use(contactRoutes(rooms.contacts, protect))
    .use(fieldRoutes(rooms.contacts.fields, protect))
    .use(importRoutes(rooms.imports, protect))
    .use(bulkRoutes(rooms.bulk, protect))
    .use(templateRoutes(rooms.templates, protect))
    .use(segmentRoutes(rooms.segments, protect))
    .use(memberRoutes(rooms.segments.members, protect))
    .use(previewRoute(rooms.segments, protect))
    .use(campaignRoutes(rooms.campaigns, protect, clock))
    .use(isSandbox ? sandbox.sandboxRoutes(rooms.emails, sandbox.sandboxActions(engine), protect) : new Elysia())
    .use(emailRoutes(rooms.emails, protect))
    .use(rooms.accounts.routes(auth))
    .use(rooms.emails.trackingRoutes(badLinkResponse))
    .use(rooms.hosted.routes)
    .use(emailBrowserRoutes({ emails: rooms.emails, auth, directory, bus, clock }))
    .use(documentation({ baseUrl, ...(isSandbox ? { keys: sandboxKeys } : {}) }))
  const shell = dashboardShell({
    host: dashboardHost(),
    sessions,
    ids,
    now: clock.now,
    secure: () => baseUrl().startsWith("https:"),
    ...(isSandbox ? { signsIn: builtInOwner } : {}),
  })
  const isBelow = (prefix: string) => (request: Request) =>
    request.url.startsWith(prefix, request.url.indexOf("/", request.url.indexOf("://") + 3))
  const isDashboard = isBelow("/app")
  return withHead(
    async (request: Request, address?: string): Promise<Response> =>
      (isDashboard(request) ? await shell(request, address) : undefined) ?? http.handle(withLongHost(request)),
    isBelow("/t/"),
  )
}
