import { plugins } from "../plugins/index.ts"
import { createBus } from "./bus/bus.ts"
import { type Config, publicUrl } from "./config.ts"
import { createHttpServer, type HttpServer } from "./http/listen.ts"
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
import { type Domains, domains } from "./modules/domains/index.ts"
import { type Projects, projects } from "./modules/projects/index.ts"
import * as sandbox from "./modules/sandbox/index.ts"
import { createModules } from "./modules.ts"
import { createDns } from "./net/dns.ts"
import { createReferences } from "./references.ts"
import { createRoutes, sandboxKeys } from "./routes.ts"
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

/** The rooms a short command works in, also beside a running server: nothing is started or settled. */
export async function withModules<T>(config: Config, work: (rooms: CommandModules) => Promise<T>): Promise<T> {
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
    return await work({
      projects: projects(engine, { disabled: async () => {} }),
      domains: domains(engine, { anyDomain: false }),
    })
  } finally {
    await store.close()
  }
}

export interface CommandModules {
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

/** The composition root, with `modules.ts` and `routes.ts`: every wire of the house is visible here, and only here. */
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
  const references = createReferences()
  const engine = { clock, ids, random, log, config, store, secret, bus, jobs, references }
  const dns = createDns({ servers: config.dns.servers, clock, timeoutMs: 5 * second })
  const renderer = createRenderer()
  const links = createLinks(baseUrl, secret)
  const keep = isSandbox ? sandbox.capture(engine) : async (): Promise<Receipt> => sent(null)
  const tools = { log, keep, env }
  const transports = overrides.transports ?? (await createTransports(config, { plugins, tools, clock }))

  const { open: openRooms, ...rooms } = createModules(engine, { baseUrl, dns, files, links, renderer, transports })
  const fetch = createRoutes(engine, rooms, {
    baseUrl,
    captures: transports.transactional.name === "capture",
    smtp: () => ({ submission: listening.smtpPort, secure: null }),
  })

  const { emails } = rooms
  await openRooms()
  await bus.open()
  await jobs.open()
  await emails.delivery.open()

  return {
    ...rooms,
    config,
    store,
    bus,
    jobs,
    /** Answers a request as the server would. */
    fetch,

    /** Listens, and starts the loops. A port that cannot be had rejects, with everything closed again by `stop`. */
    async start(): Promise<Listening> {
      listening.http = createHttpServer({ ...config.http, fetch })
      if (isSandbox && config.smtp.submissionPort >= 0) listening.smtpPort = await listenSmtp()
      for (const loop of [bus.loop, jobs.loop, emails.delivery.loop]) loop.start()
      return { url: baseUrl(), port: listening.http.port, smtpPort: listening.smtpPort }
    },

    /** Runs everything that is due until nothing is: what tests do instead of waiting. */
    async settle(): Promise<void> {
      await emails.hitsStored()
      while ((await bus.drain()) + (await jobs.drain()) + (await emails.delivery.drain()) > 0);
    },

    /**
     * Stops accepting, finishes or gives back what is under way, closes the store. Everything stops at the same time, so
     * that it takes 10 seconds at the most.
     */
    async stop(): Promise<void> {
      await Promise.all([
        listening.http?.stop(graceMs),
        listening.smtp?.stop(graceMs),
        emails.delivery.stop(graceMs),
        jobs.stop(graceMs),
        bus.loop.stop(),
      ])
      await transports.close()
      await store.close()
    },
  }

  async function listenSmtp(): Promise<number> {
    const project = await sandboxProject()
    const { host, hostname, submissionPort, tlsCert, tlsKey } = config.smtp
    const options = { host, port: submissionPort, hostname: hostname ?? "localhost", auth: "optional", log } as const
    const certificate =
      tlsCert !== null && tlsKey !== null
        ? { cert: await Bun.file(tlsCert).text(), key: await Bun.file(tlsKey).text() }
        : null
    listening.smtp = createSmtpListener(
      { ...options, authWithoutTls: "anyone", ...(certificate ? { tls: certificate } : {}) },
      sandbox.sandboxReceiver(rooms.projects, project, rooms.intake),
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
    const known = await rooms.projects.projectOfKey("secret", sandboxKeys.secret)
    return (known ?? (await rooms.projects.create("Sandbox", sandboxKeys))).id
  }
}
