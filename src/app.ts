import { Elysia } from "elysia"
import { plugins } from "../plugins/index.ts"
import { createBus } from "./bus/bus.ts"
import { type Config, publicUrl } from "./config.ts"
import { createAuthenticator, type Directory, type Role } from "./http/auth.ts"
import { dashboardHost } from "./http/dashboard.ts"
import { createDoor } from "./http/door.ts"
import { createIdempotency } from "./http/idempotency.ts"
import { createHttpServer, type HttpServer, withHead, withLongHost } from "./http/listen.ts"
import { documentation } from "./http/openapi.ts"
import { createRateLimit } from "./http/rate-limit.ts"
import { httpFrame } from "./http/server.ts"
import { createSessions } from "./http/session.ts"
import { dashboardShell } from "./http/shell.ts"
import { createSmtpListener } from "./inbound/listener.ts"
import type { SmtpListener } from "./inbound/types.ts"
import { createJobs } from "./jobs/jobs.ts"
import { type Clock, second, systemClock } from "./kernel/clock.ts"
import { DomainError } from "./kernel/errors.ts"
import { type Ids, uuids } from "./kernel/ids.ts"
import { type Log, reasonOf, silentLog } from "./kernel/log.ts"
import { createLinks } from "./mail/links.ts"
import { createRenderer } from "./mail/render/index.ts"
import { type Receipt, sent } from "./mail/transport.ts"
import { createTransports, type Transports } from "./mail/transports.ts"
import { accounts, builtInOwner } from "./modules/accounts/index.ts"
import {
  bulkRoutes,
  contactBulk,
  contactImports,
  contactRoutes,
  contacts,
  fieldRoutes,
  importRoutes,
} from "./modules/contacts/index.ts"
import { type Domains, domains } from "./modules/domains/index.ts"
import { emailBrowserRoutes, emailRoutes, emails, mailOfTemplates, sendRoute } from "./modules/emails/index.ts"
import { eventRecorder, events, trackRoute } from "./modules/events/index.ts"
import { housekeeping, instanceRoutes } from "./modules/instance/index.ts"
import { type Projects, presentProject, projects } from "./modules/projects/index.ts"
import * as sandbox from "./modules/sandbox/index.ts"
import { templateRoutes, templates } from "./modules/templates/index.ts"
import { verification, verifyRoute } from "./modules/verification/index.ts"
import { createDns } from "./net/dns.ts"
import { openFiles } from "./store/files.ts"
import { openSecret } from "./store/secret.ts"
import { openStore, type Store } from "./store/store.ts"

/** What tests put in place of the world. */
export interface Overrides {
  readonly clock?: Clock
  readonly ids?: Ids
  readonly random?: () => number
  readonly log?: Log
  readonly transports?: Transports
  readonly env?: (name: string) => string | undefined
}

export interface Listening {
  readonly url: string
  readonly port: number
  /** Port of the SMTP listener, null when there is none. */
  readonly smtpPort: number | null
}

const graceMs = 7 * second
const sandboxKeys = { public: "pk_sandbox", secret: "sk_sandbox" }

/** The rooms a short command works in, also beside a running server: nothing is started or settled. */
export async function withRooms<T>(config: Config, work: (rooms: Rooms) => Promise<T>): Promise<T> {
  const clock = systemClock
  const store = openStore({
    folder: config.data,
    clock,
    log: silentLog,
    holder: `command ${process.pid}`,
    access: "shared",
  })
  try {
    const engine = { store, ids: uuids(clock), secret: openSecret(config.data) }
    return await work({ projects: projects(engine), domains: domains(engine, { anyDomain: false }) })
  } finally {
    await store.close()
  }
}

export interface Rooms {
  readonly projects: Projects
  readonly domains: Domains
}

/** Opens the store and builds the house on it; it listens on `start`. What cannot be built leaves nothing open. */
export async function createApp(config: Config, overrides: Overrides = {}): Promise<App> {
  const { clock = systemClock, log = silentLog } = overrides
  const store = openStore({ folder: config.data, clock, log, holder: `process ${process.pid}` })
  try {
    return await compose(config, store, { ...overrides, clock, log })
  } catch (cause) {
    await store.close()
    throw cause
  }
}

export type App = Awaited<ReturnType<typeof compose>>

/** The composition root: every wire of the house is visible here, and only here. */
async function compose(config: Config, store: Store, overrides: Overrides & { clock: Clock; log: Log }) {
  const { clock, log, random = Math.random, env = () => undefined } = overrides
  const ids = overrides.ids ?? uuids(clock)
  const isSandbox = config.mode === "sandbox"
  const listening: { http?: HttpServer; smtp?: SmtpListener; smtpPort: number | null } = { smtpPort: null }
  const baseUrl = () => publicUrl(config.http, listening.http?.port ?? config.http.port)

  // Cellar and machine room
  const secret = openSecret(config.data)
  const files = openFiles(config.data)
  const bus = createBus({ store, clock, log })
  const jobs = createJobs({ store, clock, ids, log, random })
  const engine = { clock, ids, random, log, config, store, secret, bus, jobs }
  const dns = createDns({ servers: config.dns.servers, clock, timeoutMs: 5 * second })
  const renderer = createRenderer()
  const links = createLinks(baseUrl, secret)
  const keep = isSandbox ? sandbox.capture(engine) : async (): Promise<Receipt> => sent(null)
  const tools = { log, keep, env }
  const ways = overrides.transports ?? (await createTransports(config, { plugins, tools, clock }))

  // Rooms, up the stair
  const tenants = projects(engine)
  const shown = async (role: Role) => (await tenants.list()).map((project) => presentProject(project, role))
  const people = accounts({ find: tenants.find, shown }, { builtIn: isSandbox, since: clock.now() })
  const senders = domains(engine, { anyDomain: isSandbox })
  const record = eventRecorder(engine)
  const audience = contacts(engine, { record, usesOf: async () => ({ segments: [], campaigns: [], workflows: [] }) })
  const imports = contactImports(engine, audience)
  const bulk = contactBulk(engine, audience)
  const happenings = events(engine, audience, record)
  const contents = templates(engine, {
    contacts: audience,
    domains: senders,
    renderer,
    baseUrl,
    stepsUsing: async () => [],
    ...mailOfTemplates(engine),
  })
  const mail = emails(engine, {
    contacts: audience,
    templates: contents,
    domains: senders,
    record,
    renderer,
    links,
    files,
    ways,
    perSecond: config.limits.emailsPerSecond,
    contentElsewhere: sandbox.capturedContent(store),
  })
  const intake = sandbox.intakeAction({ ...engine, contacts: audience, emails: mail })
  if (isSandbox) bus.subscribe([sandbox.simulator(mail)])

  // Doors
  const sessions = createSessions(secret)
  const directory: Directory = { projectOfKey: tenants.projectOfKey, membership: people.membership }
  const auth = createAuthenticator({ directory, sessions, clock, publicOrigin: () => new URL(baseUrl()).origin })
  const idempotency = createIdempotency({ store, clock, keepMs: config.limits.idempotencyMs })
  const rateLimit = createRateLimit(config.limits.requestsPerMinute, clock)
  const door = createDoor({ auth, rateLimit, idempotency })
  for (const { handlers, recurring } of [audience, imports, bulk, housekeeping({ bus, jobs, idempotency })])
    jobs.register(handlers, recurring)
  const around = {
    baseUrl,
    captures: ways.transactional.name === "capture",
    smtp: () => ({ submission: listening.smtpPort, secure: null }),
  }
  const http = httpFrame(engine, { origins: config.http.corsOrigins })
    .use(instanceRoutes(engine, around))
    .use(trackRoute(happenings, door))
    .use(verifyRoute(verification(engine, dns), door))
    .use(sendRoute(mail, door, { count: config.limits.attachments, bytes: config.limits.attachmentBytes }))
    .use(contactRoutes(audience, door))
    .use(fieldRoutes(audience.fields, door))
    .use(importRoutes(imports, door))
    .use(bulkRoutes(bulk, door))
    .use(templateRoutes(contents, door))
    .use(isSandbox ? sandbox.sandboxRoutes(mail, sandbox.sandboxActions(engine), door) : new Elysia())
    .use(emailRoutes(mail, door))
    .use(people.routes(auth))
    .use(emailBrowserRoutes({ emails: mail, auth, directory, bus, clock }))
    .use(documentation({ baseUrl, ...(isSandbox ? { keys: sandboxKeys } : {}) }))
  const shell = dashboardShell({
    host: dashboardHost(),
    sessions,
    now: clock.now,
    secure: () => baseUrl().startsWith("https:"),
    ...(isSandbox ? { signsIn: builtInOwner } : {}),
  })
  const fetch = withHead(async (request: Request, address?: string): Promise<Response> => {
    const path = request.url.indexOf("/", request.url.indexOf("://") + 3)
    return (
      (request.url.startsWith("/app", path) ? await shell(request, address) : undefined) ??
      http.handle(withLongHost(request))
    )
  })

  await audience.open()
  await imports.open()
  await bus.open()
  await jobs.open()
  await mail.delivery.open()

  return {
    config,
    projects: tenants,
    domains: senders,
    contacts: audience,
    emails: mail,
    store,
    bus,
    jobs,
    /** Answers a request as the server would. */
    fetch,

    /** Listens, and starts the loops. A port that cannot be had rejects, with everything closed again by `stop`. */
    async start(): Promise<Listening> {
      listening.http = createHttpServer({ ...config.http, fetch })
      if (isSandbox && config.smtp.submissionPort >= 0) listening.smtpPort = await listenSmtp()
      for (const loop of [bus.loop, jobs.loop, mail.delivery.loop]) loop.start()
      return { url: baseUrl(), port: listening.http.port, smtpPort: listening.smtpPort }
    },

    /** Runs everything that is due until nothing is: what tests do instead of waiting. */
    async settle(): Promise<void> {
      while ((await bus.drain()) + (await jobs.drain()) + (await mail.delivery.drain()) > 0);
    },

    /**
     * Stops accepting, finishes or gives back what is under way, closes the store. Everything stops at the same time, so
     * that it takes 10 seconds at the most.
     */
    async stop(): Promise<void> {
      await Promise.all([
        listening.http?.stop(graceMs),
        listening.smtp?.stop(graceMs),
        mail.delivery.stop(graceMs),
        jobs.stop(graceMs),
        bus.loop.stop(),
      ])
      await ways.close()
      await store.close()
    },
  }

  async function listenSmtp(): Promise<number> {
    const project = await sandboxProject()
    const { host, hostname, submissionPort, tls } = config.smtp
    const options = { host, port: submissionPort, hostname: hostname ?? "localhost", auth: "optional", log } as const
    const certificate = tls && { cert: await Bun.file(tls.cert).text(), key: await Bun.file(tls.key).text() }
    listening.smtp = createSmtpListener(
      { ...options, authWithoutTls: "anyone", ...(certificate ? { tls: certificate } : {}) },
      sandbox.sandboxReceiver(tenants, project, intake),
    )
    try {
      return (await listening.smtp.start()).port
    } catch (cause) {
      throw new DomainError(
        "unavailable",
        "PORT_IN_USE",
        `Cannot listen for SMTP on ${host}:${submissionPort}: ${reasonOf(cause)}`,
      )
    }
  }

  /** The built-in project of the sandbox, with keys that one can type (contract A8.3.1). */
  async function sandboxProject(): Promise<string> {
    const known = await tenants.projectOfKey("secret", sandboxKeys.secret)
    return (known ?? (await tenants.create("Sandbox", sandboxKeys))).id
  }
}
