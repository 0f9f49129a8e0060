import { createPlugins, setUpSes } from "../plugins/index.ts"
import { createClockTurner } from "./clock-turn.ts"
import { createClockWatch } from "./clock-watch.ts"
import { type Config, publicUrl } from "./config.ts"
import { createEngine, type EngineParts } from "./create-engine.ts"
import type { BodyOptions } from "./http/body.ts"
import type { DashboardHost } from "./http/dashboard.ts"
import { noPorts } from "./inbound/ports.ts"
import { type Clock, second, systemClock, type WatchedClock, watched } from "./kernel/clock.ts"
import { type Ids, uuidsOfManual } from "./kernel/ids.ts"
import { type Log, silentLog } from "./kernel/log.ts"
import { createManualClock, type ManualClock } from "./kernel/manual-clock.ts"
import { createMetrics } from "./kernel/metrics.ts"
import { createTracer } from "./kernel/tracer.ts"
import { createBoundPorts, createListeners, type Listening } from "./listeners.ts"
import { sent, type Transport } from "./mail/transport.ts"
import { unopenedMembers } from "./mail/transports/unopened.ts"
import { createTransports, type Transports } from "./mail/transports.ts"
import type { PasswordCost } from "./modules/accounts/index.ts"
import type { Memory, ServerState } from "./modules/instance/index.ts"
import { capture } from "./modules/sandbox/index.ts"
import { createModules, type Modules } from "./modules.ts"
import type { SafeFetch } from "./net/safe-fetch.ts"
import { createRoutes } from "./routes.ts"
import { createServices, type Services } from "./services.ts"
import { openBucket } from "./store/backup/bucket.ts"
import type { TakeBackup } from "./store/backup/take-in-process.ts"
import { openFiles } from "./store/files.ts"
import { keepManualTime, manualTimeOf } from "./store/manual-time.ts"
import { modeOfFolder } from "./store/mode.ts"
import type { SyncFile } from "./store/sqlite/log-sync.ts"
import type { ReadThreads } from "./store/sqlite/read-pool.ts"
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
  /** The clock of the limits of rendering: milliseconds on one that is never set. */
  readonly renderClock?: () => number
  /** A cheap hash for tests that create many accounts. */
  readonly passwordCost?: PasswordCost
  /** Replaced in tests, where several apps share one process: none of them releases its memory. */
  readonly memory?: Memory
  /** Replaced in tests, where several apps share one dashboard: it is bundled once. */
  readonly dashboard?: DashboardHost
  readonly bodies?: BodyOptions
  /** The sync of the database's log. */
  readonly syncFile?: SyncFile
  /** The threads of the read pool, which several apps share. */
  readonly readThreads?: ReadThreads
  /** What `mailstead doctor` asks instead of public servers. */
  readonly examined?: Services["examined"]
  /** Takes backups of the schedule. */
  readonly takeBackup?: TakeBackup
  /** SMTP takes a free port where the configuration has one. */
  readonly freeSmtpPorts?: true
}

export type { Listening }

const graceMs = 7 * second

/**
 * Runs a short command with the modules, possibly beside a running server, to which it leaves all background work: no
 * loop is started and no transport is opened. Uses the mode of the data folder. With `inspect` the database is neither
 * locked nor migrated.
 */
export async function withModules<T>(
  given: Config,
  work: (modules: Modules["actions"]) => Promise<T>,
  { access = "shared", members }: { access?: "shared" | "inspect"; members?: Transports["members"] } = {},
): Promise<T> {
  const config: Config = { ...given, mode: modeOfFolder(given.data) ?? given.mode }
  const log = silentLog
  const manualClock = manualTimeOf(config.data) === undefined ? undefined : clockOf(config, systemClock)
  const clock = manualClock ?? systemClock
  const store = openStore({
    folder: config.data,
    clock,
    realClock: systemClock,
    log,
    holder: `command ${process.pid}`,
    access,
    mode: config.mode,
  })
  try {
    const engine = await createEngine(config, store, {
      ...(manualClock && { ids: uuidsOfManual(manualClock, systemClock) }),
      clock,
      realClock: systemClock,
      log,
      metrics: createMetrics(),
      tracer: undefined,
    })
    const { bus } = engine
    // Whether a signal concerns a subscriber is known to the modules of the server only, so every signal is stored.
    const subscribe: typeof bus.subscribe = (all) => bus.subscribe(all.map(({ concerns: _, ...each }) => each))
    const { actions } = createModules(
      { ...engine, bus: { ...bus, subscribe } },
      createServices(engine, {
        baseUrl: () => publicUrl(config.http, config.http.port),
        files: openFiles(config.data, { access: "shared" }),
        smtpPorts: () => noPorts,
        state: () => "starting",
        transports: {
          transactional: unusedTransport,
          bulk: unusedTransport,
          members: members ?? unopenedMembers(config, clock),
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
  const { syncFile, readThreads } = overrides
  const metrics = createMetrics()
  const readLimitMs = limits.conditionMs
  const store = openStore({ folder, clock, realClock, log, holder, mode, readLimitMs, metrics, syncFile, readThreads })
  try {
    keepManualTime(folder, manualClock?.now())
    return await compose(config, store, {
      ...overrides,
      ...(manualClock && overrides.ids === undefined && { ids: uuidsOfManual(clock, realClock) }),
      clock,
      realClock,
      manualClock,
      log,
      metrics,
      tracer: config.otel.endpoint === null ? undefined : createTracer(),
    })
  } catch (cause) {
    await store.close()
    throw cause
  }
}

/** The configured transports, for a command that asks whether they work. */
export const openTransports = (config: Config, env: (name: string) => string | undefined): Promise<Transports> =>
  createTransports(config, {
    plugins: createPlugins(async () => sent(null)),
    tools: { log: silentLog, env },
    clock: systemClock,
  })

/** Sets SES up for its reports; nothing of the server is needed. */
export const sesSetup = setUpSes

export type App = Awaited<ReturnType<typeof compose>>

/** What `createApp` adds to the overrides. */
type Composed = Overrides &
  EngineParts & { readonly clock: WatchedClock; readonly manualClock: ManualClock | undefined }

const isManual = ({ mode, sandbox }: Config): boolean => mode === "sandbox" && sandbox.clock === "manual"

/** A manual clock continues at the time stored in the data folder, or begins at the real time. */
const clockOf = ({ data: folder }: Config, realClock: Clock): ManualClock =>
  createManualClock(manualTimeOf(folder) ?? realClock.now(), realClock, (at) => keepManualTime(folder, at))

/** The composition root of the server; `modules.ts` wires the modules, `routes.ts` their routes. */
async function compose(config: Config, store: Store, overrides: Composed) {
  const { clock, realClock, manualClock, log, env = () => undefined } = overrides
  const engine = await createEngine(config, store, overrides)
  const { bus, jobs, references } = engine
  let state: ServerState = "starting"
  const ports = createBoundPorts(config)

  const plugins = createPlugins(config.mode === "sandbox" ? capture(engine) : async () => sent(null))
  const tools = { log, env }
  const measuring = { metrics: engine.metrics, tracer: engine.tracer }
  const transports =
    overrides.transports ?? (await createTransports(config, { plugins, tools, clock: realClock, ...measuring }))
  const turner =
    manualClock && createClockTurner({ clock: manualClock, realClock, parts: () => [bus, jobs, ...workers] })
  const services = createServices(engine, {
    baseUrl: ports.baseUrl,
    files: openFiles(config.data, { clock }),
    outbound: overrides.outbound,
    renderClock: overrides.renderClock,
    examined: overrides.examined,
    memory: overrides.memory,
    passwordCost: overrides.passwordCost,
    smtpPorts: ports.smtp,
    state: () => state,
    backups: {
      ...(overrides.takeBackup && { takeBackup: overrides.takeBackup }),
      ...(config.backup.url && { bucket: openBucket(config.backup.url, env) }),
    },
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

  try {
    for (const { open } of list) await open?.()
    await clockWatch.open()
    await bus.open()
    await jobs.open()
    for (const worker of workers) await worker.open()
  } catch (cause) {
    await transports.close()
    throw cause
  }

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

    /** Listens, and starts the loops. Rejects if a port cannot be bound; `stop` then closes everything. */
    async start(): Promise<Listening> {
      const listening = await listeners.start()
      for (const { loop } of [clockWatch, bus, jobs, ...workers]) loop.start()
      state = "running"
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
     * Stops accepting, finishes or releases running work, closes the transports and the store. All parts stop at the same
     * time and have 7 seconds; the transports take as long as they need, and the store waits 2 seconds for running reads.
     */
    async stop(): Promise<void> {
      state = "stopping"
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
