import { createPlugins, setUpSes } from "../plugins/index.ts"
import { createBus } from "./bus/bus.ts"
import { createClockTurner } from "./clock-turn.ts"
import { createClockWatch } from "./clock-watch.ts"
import { type Config, publicUrl } from "./config.ts"
import type { Engine } from "./engine.ts"
import type { BodyOptions } from "./http/body.ts"
import type { DashboardHost } from "./http/dashboard.ts"
import { createIdempotency } from "./http/idempotency.ts"
import { createRateLimit } from "./http/rate-limit.ts"
import { createSessions } from "./http/session.ts"
import { noPorts } from "./inbound/ports.ts"
import { createJobs } from "./jobs/jobs.ts"
import { type Clock, second, systemClock, type WatchedClock, watched } from "./kernel/clock.ts"
import { type Ids, uuids } from "./kernel/ids.ts"
import { type Log, silentLog } from "./kernel/log.ts"
import { createManualClock, type ManualClock } from "./kernel/manual-clock.ts"
import { createBoundPorts, createListeners, type Listening } from "./listeners.ts"
import { createLinks } from "./mail/links.ts"
import { createRenderer } from "./mail/render/index.ts"
import { sent, type Transport } from "./mail/transport.ts"
import { unopenedMembers } from "./mail/transports/unopened.ts"
import { createTransports, type Transports } from "./mail/transports.ts"
import type { PasswordCost } from "./modules/accounts/index.ts"
import { capture } from "./modules/sandbox/index.ts"
import { createModules, type Modules, type Services } from "./modules.ts"
import { createDns } from "./net/dns.ts"
import { createSafeFetch, type SafeFetch } from "./net/safe-fetch.ts"
import { createReferences } from "./references.ts"
import { createRoutes } from "./routes.ts"
import { openFiles } from "./store/files.ts"
import { keepManualTime, manualTimeOf } from "./store/manual-time.ts"
import { modeOfFolder } from "./store/mode.ts"
import { openSecret } from "./store/secret.ts"
import { openStore, type Store } from "./store/store.ts"

/** Replacements for external dependencies in tests. */
export interface Overrides {
  readonly clock?: Clock
  readonly ids?: Ids
  readonly random?: () => number
  readonly log?: Log
  readonly transports?: Transports
  readonly env?: (name: string) => string | undefined
  /** Requests to other servers. */
  readonly outbound?: SafeFetch | undefined
  /** A cheap hash for tests that create many accounts. */
  readonly passwordCost?: PasswordCost
  /** A host that several apps share is bundled once. */
  readonly dashboard?: DashboardHost
  readonly bodies?: BodyOptions
  /** SMTP takes a free port where the configuration has one. */
  readonly freeSmtpPorts?: true
}

export type { Listening }

const graceMs = 7 * second

/**
 * Runs a short command with the modules, possibly beside a running server, which then does any background work: nothing
 * is started or opened here, and no transport is needed. Uses the mode of the data folder.
 */
export async function withModules<T>(given: Config, work: (modules: Modules["actions"]) => Promise<T>): Promise<T> {
  const config: Config = { ...given, mode: modeOfFolder(given.data) ?? given.mode }
  const log = silentLog
  const clock = manualTimeOf(config.data) === undefined ? systemClock : clockOf(config, systemClock)
  const store = openStore({
    folder: config.data,
    clock,
    realClock: systemClock,
    log,
    holder: `command ${process.pid}`,
    access: "shared",
    mode: config.mode,
  })
  try {
    const engine = createEngine(config, store, { clock, realClock: systemClock, log })
    const { bus } = engine
    // Only the modules of the server know what concerns a subscriber, so every signal is stored.
    const subscribe: typeof bus.subscribe = (all) => bus.subscribe(all.map(({ concerns: _, ...each }) => each))
    const { actions } = createModules(
      { ...engine, bus: { ...bus, subscribe } },
      createServices(engine, {
        baseUrl: () => publicUrl(config.http, config.http.port),
        files: openFiles(config.data, { access: "shared" }),
        smtpPorts: () => noPorts,
        transports: {
          transactional: unusedTransport,
          bulk: unusedTransport,
          members: unopenedMembers(config, clock),
          close: async () => {},
        },
      }),
    )
    return await work(actions)
  } finally {
    await store.close()
  }
}

/** Commands leave mail to the server. */
const unusedTransport: Transport = {
  name: "unused",
  limits: { concurrency: 1, batch: 1 },
  send: () => Promise.reject(new Error("A command hands over no mail.")),
  close: async () => {},
}

/** Opens the store and builds the server on it; `start` makes it listen. If that fails, everything is closed again. */
export async function createApp(config: Config, overrides: Overrides = {}): Promise<App> {
  const { log = silentLog } = overrides
  const realClock = overrides.clock ?? systemClock
  const { data: folder, mode, limits } = config
  const manualClock = isManual(config) ? clockOf(config, realClock) : undefined
  const clock = watched(manualClock ?? realClock)
  const holder = `process ${process.pid}`
  const store = openStore({ folder, clock, realClock, log, holder, mode, readLimitMs: limits.conditionMs })
  try {
    keepManualTime(folder, manualClock?.now())
    return await compose(config, store, { ...overrides, clock, realClock, manualClock, log })
  } catch (cause) {
    await store.close()
    throw cause
  }
}

/** Sets SES up for its reports; nothing of the server is needed. */
export const sesSetup = setUpSes

export type App = Awaited<ReturnType<typeof compose>>

type EngineParts = Pick<Overrides, "ids" | "random"> & Pick<Engine, "clock" | "realClock" | "log">

function createEngine(config: Config, store: Store, { clock, realClock, log, ...parts }: EngineParts): Engine {
  const { ids = uuids(clock), random = Math.random } = parts
  return {
    clock,
    realClock,
    ids,
    random,
    log,
    config,
    store,
    secret: openSecret(config.data),
    bus: createBus({ store, clock, log }),
    jobs: createJobs({ store, clock, ids, log, random }),
    references: createReferences(),
  }
}

function createServices(
  { config, store, clock, realClock, secret }: Engine,
  {
    outbound,
    ...outside
  }: Pick<Services, "baseUrl" | "files" | "passwordCost" | "smtpPorts" | "transports" | "turning"> &
    Pick<Overrides, "outbound">,
): Services {
  const dns = createDns({ servers: config.dns.servers, clock: realClock, timeoutMs: 5 * second })
  return {
    ...outside,
    cookies: { sessions: createSessions(secret), secure: () => outside.baseUrl().startsWith("https:") },
    dns,
    idempotency: createIdempotency({ store, clock, keepMs: config.limits.idempotencyMs }),
    links: createLinks(outside.baseUrl, secret),
    outbound: outbound ?? createSafeFetch({ dns, clock: realClock }),
    webhookOutbound: outbound ?? createSafeFetch({ dns, clock: realClock, allow: config.webhooks.allow }),
    rateLimit: createRateLimit(config.limits, realClock),
    renderer: createRenderer(),
  }
}

/** What `createApp` adds to the overrides. */
type Composed = Overrides &
  EngineParts & { readonly clock: WatchedClock; readonly manualClock: ManualClock | undefined }

const isManual = ({ mode, sandbox }: Config): boolean => mode === "sandbox" && sandbox.clock === "manual"

/** A manual clock goes on where it last stood in the data folder, or begins at the real time. */
const clockOf = ({ data: folder }: Config, realClock: Clock): ManualClock =>
  createManualClock(manualTimeOf(folder) ?? realClock.now(), realClock, (at) => keepManualTime(folder, at))

/** The composition root of the server; `modules.ts` wires the modules, `routes.ts` their routes. */
async function compose(config: Config, store: Store, overrides: Composed) {
  const { clock, realClock, manualClock, log, env = () => undefined } = overrides
  const engine = createEngine(config, store, overrides)
  const { bus, jobs, references } = engine
  const ports = createBoundPorts(config)

  const plugins = createPlugins(config.mode === "sandbox" ? capture(engine) : async () => sent(null))
  const tools = { log, env }
  const transports = overrides.transports ?? (await createTransports(config, { plugins, tools, clock: realClock }))
  const turner =
    manualClock && createClockTurner({ clock: manualClock, realClock, parts: () => [bus, jobs, ...workers] })
  const services = createServices(engine, {
    baseUrl: ports.baseUrl,
    files: openFiles(config.data, { clock }),
    outbound: overrides.outbound,
    passwordCost: overrides.passwordCost,
    smtpPorts: ports.smtp,
    transports,
    turning: turner,
  })
  const { list, actions } = createModules(engine, services)
  const fetch = createRoutes(engine, { list, actions }, services, overrides)
  const clockWatch = createClockWatch(
    engine,
    clock,
    [bus, jobs, services.idempotency, ...list].flatMap(({ clockCorrections }) => clockCorrections ?? []),
  )
  const workers = list.flatMap(({ worker }) => worker ?? [])
  const smtp = list.find((module) => module.smtp)?.smtp
  const listeners = createListeners(engine, ports, { ...services, ...overrides, fetch, smtp })

  for (const { open } of list) await open?.()
  await clockWatch.open()
  await bus.open()
  await jobs.open()
  for (const worker of workers) await worker.open()

  return {
    ...actions,
    modules: list,
    config,
    store,
    bus,
    jobs,
    references,
    /** Answers a request as the server would. */
    fetch,

    /** Listens, and starts the loops. Rejects if a port cannot be bound, after closing everything with `stop`. */
    async start(): Promise<Listening> {
      const listening = await listeners.start()
      for (const { loop } of [clockWatch, bus, jobs, ...workers]) loop.start()
      return listening
    },

    /** Runs due work until there is none. Tests call this instead of waiting. */
    async settle(): Promise<void> {
      for (let done = 1; done > 0; ) {
        done = 0
        for (const { drain } of [clockWatch, bus, jobs, ...workers]) done += await drain()
      }
    },

    /**
     * Stops accepting, finishes or releases running work, closes the store. All parts stop at the same time, so it
     * takes 10 seconds at most.
     */
    async stop(): Promise<void> {
      turner?.stop()
      await Promise.all([
        listeners.stop(graceMs),
        ...[clockWatch, jobs, ...workers].map((each) => each.stop(graceMs)),
        bus.loop.stop(),
      ])
      await transports.close()
      await store.close()
    },
  }
}
