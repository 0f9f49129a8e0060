import { onTestFinished } from "bun:test"
import { rmSync } from "node:fs"
import { type App, createApp, type Overrides } from "../../src/app.ts"
import { loadConfig, type Mode, type Settings } from "../../src/config.ts"
import { day, hour, minute, second } from "../../src/kernel/clock.ts"
import type { Ids } from "../../src/kernel/ids.ts"
import { createLog } from "../../src/kernel/log.ts"
import type { Outgoing } from "../../src/mail/transport.ts"
import { type ApiClient, apiClient } from "./api.ts"
import { cheapHash } from "./cheap-hash.ts"
import { newDataFolder } from "./data-folder.ts"
import { createFakeClock, type FakeClock } from "./fake-clock.ts"
import { sequentialIds } from "./ids.ts"
import { type RecordingTransport, recordingTransport } from "./recording-transport.ts"
import { sharedByApps } from "./shared-by-apps.ts"

interface Span {
  days?: number
  hours?: number
  minutes?: number
  seconds?: number
  ms?: number
}

export interface TestApp {
  readonly app: App
  readonly clock: FakeClock
  readonly ids: Ids
  readonly folder: string
  readonly transport: RecordingTransport
  /** The project that the keys below belong to; `acme.test` is its verified domain. */
  readonly project: { id: string; publicKey: string; secret: string }
  /** Calls the app with the secret key, or the public one for `/v1/track`. */
  readonly api: ApiClient
  /** The sent messages, in order. */
  sent(): Outgoing[]
  /** Moves the clock and runs bus, jobs and delivery until there is no work left. */
  advance(span: Span): Promise<void>
  /** The same without moving the clock. */
  settle(): Promise<void>
  /** Records of the log at or above `warn`. */
  readonly complaints: { level: string; message: string; fields: Record<string, unknown> }[]
  /** Stops the app as SIGTERM would. The folder stays until `close`. */
  stop(): Promise<void>
  close(): Promise<void>
}

export interface TestOptions {
  readonly mode?: Mode
  /** Settings by their path, for example `{ "limits.requests_per_minute": "5" }`. */
  readonly settings?: Settings
  readonly overrides?: Overrides
  /** Sends by what `mail.url` names instead of the recording transport. */
  readonly realTransports?: true
  /** An existing data folder: starts again where another app stopped, with its clock and its ids. */
  readonly folder?: string
  readonly clock?: FakeClock
  readonly ids?: Ids
  /** Makes ids as a server does. */
  readonly realIds?: true
}

/** The real app on the real store, with the time, ids and transport of the test. */
export async function startTestApp(options: TestOptions = {}): Promise<TestApp> {
  const folder = options.folder ?? newDataFolder(options.mode ?? "serve")
  const clock = options.clock ?? createFakeClock()
  const ids = options.ids ?? sequentialIds()
  const transport = recordingTransport()
  const complaints: TestApp["complaints"] = []
  const { config } = loadConfig({
    mode: options.mode ?? "serve",
    options: {
      data: folder,
      "http.port": "0",
      "limits.emails_per_second": "0",
      "smtp.host": "127.0.0.1",
      ...options.settings,
    },
  })
  const transports = { transactional: transport, bulk: transport, members: [], close: async () => {} }
  const app = await createApp(config, {
    clock,
    ...(options.realIds ? {} : { ids }),
    random: () => 0.5,
    passwordCost: cheapHash,
    ...sharedByApps,
    log: createLog((level, message, fields) => complaints.push({ level, message, fields }), "warn"),
    ...(options.mode === "sandbox" || options.realTransports ? {} : { transports }),
    ...options.overrides,
  })
  const [known] = await app.projects.list()
  const project = known ?? (await app.projects.create("Acme"))
  if (!known) await app.domains.add(project.id, "acme.test", { vouched: true })
  let stopped = false
  const stop = async () => {
    if (stopped) return
    stopped = true
    await app.stop()
  }
  return {
    app,
    clock,
    ids,
    folder,
    transport,
    complaints,
    project: { id: project.id, publicKey: project.publicKey, secret: project.secret },
    api: apiClient((request) => app.fetch(request, "127.0.0.1"), project),
    sent: () => transport.handed,
    async advance({ days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0 }) {
      await clock.advance(days * day + hours * hour + minutes * minute + seconds * second + ms)
      await app.settle()
    },
    settle: () => app.settle(),
    stop,
    async close() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** `startTestApp` inside a test or `beforeEach`, which closes the app after the test. */
export async function appOfTest(options: TestOptions = {}): Promise<TestApp> {
  const it = await startTestApp(options)
  onTestFinished(() => it.close())
  return it
}
