import { ConfigError, type ConfigFault, redactUrl } from "../config.ts"
import { type Clock, second } from "../kernel/clock.ts"
import { type Log, reasonOf } from "../kernel/log.ts"
import type { Metrics } from "../kernel/metrics.ts"
import type { Tracer } from "../kernel/tracer.ts"
import type { Transport, TransportIdentity, TransportPlugin, TransportTools } from "./transport.ts"
import { failover } from "./transports/failover.ts"
import { guarded } from "./transports/guard.ts"
import { loadPlugin, validTransport } from "./transports/load.ts"
import { createRecord, type TransportRecord } from "./transports/record.ts"
import { scrubbedLog, scrubberOf } from "./transports/secrets.ts"
import { type ThreadRules, threaded } from "./transports/threaded.ts"

/** The part of the configuration that names the transports (contract A8.2). */
export interface TransportSettings {
  readonly mail: {
    /** In order of preference; empty: mail is captured. */
    readonly url: readonly string[]
    /** Names in `transports`; null is `url`. */
    readonly transactional: string | null
    readonly bulk: string | null
  }
  readonly transports: Readonly<
    Record<string, { readonly url: readonly string[]; readonly maxPerSecond: number | null }>
  >
}

export interface Transports {
  readonly transactional: Transport
  /** The same object as `transactional` where both have the same name. */
  readonly bulk: Transport
  /** Each one by itself, those of a failover too, in the order of the configuration. */
  readonly members: readonly TransportMember[]
  close(): Promise<void>
}

export interface TransportMember {
  readonly name: string
  readonly lanes: readonly TransportLane[]
  /** For a provider at which sender domains are set up; mail that leaves by another one is signed with our own keys. */
  readonly identity?: TransportIdentity
  /** Connects and logs in without sending; absent when it cannot be asked. Rejects with a reason. */
  readonly verify?: (abort: AbortSignal) => Promise<void>
  /** What it did in the last hour. */
  readonly record: Pick<TransportRecord, "read" | "worked">
}

type TransportLane = "transactional" | "bulk"

interface TransportDeps {
  /** The built-in ones. */
  readonly plugins: readonly TransportPlugin[]
  /** What plugins are given. */
  readonly tools: Omit<TransportTools, "clock"> & { readonly log: Log }
  readonly clock: Clock
  /** When mail leaves by a thread; in tests other than usual. */
  readonly threads?: ThreadRules | undefined
  readonly metrics?: Metrics
  readonly tracer?: Tracer | undefined
}

// The time limit for creating a plugin's transport, its own check included.
const readyMs = 30 * second

/**
 * Builds and checks the transports that the configuration names. Every one is guarded: its `send` never rejects. Throws
 * one `ConfigError` that lists everything that is wrong, and then nothing stays open.
 */
export async function createTransports(settings: TransportSettings, deps: TransportDeps): Promise<Transports> {
  const faults: ConfigFault[] = []
  const opened = new Map<string | null, Transport>()
  const members: TransportMember[] = []
  for (const name of new Set([settings.mail.transactional, settings.mail.bulk])) {
    const { field, urls, maxPerSecond } = settingsOf(settings, name)
    const all = await openAll(field, urls, deps, faults)
    if (!all) continue
    const [first, ...others] = all
    const lanes = laneNames.filter((lane) => settings.mail[lane] === name)
    members.push(...all.map(({ transport, record }) => memberOf(transport, record, lanes)))
    const transports = [first.transport, ...others.map(({ transport }) => transport)] as const
    const whole = others.length > 0 ? failover(transports, deps.clock) : first.transport
    opened.set(name, limited(whole, maxPerSecond))
  }
  const transactional = opened.get(settings.mail.transactional)
  const bulk = opened.get(settings.mail.bulk)
  const close = async () => {
    await Promise.all([...opened.values()].map((transport) => transport.close()))
  }
  if (faults.length === 0 && transactional && bulk) return { transactional, bulk, members, close }
  await close()
  throw new ConfigError(faults)
}

/** The lanes whose mail is captured: it stays on this machine. */
export const capturedLanes = (settings: TransportSettings): readonly (typeof laneNames)[number][] =>
  laneNames.filter((lane) => settingsOf(settings, settings.mail[lane]).urls.every((url) => /^capture:/i.test(url)))

function settingsOf({ mail, transports }: TransportSettings, name: string | null) {
  const own = name === null ? undefined : transports[name]
  const urls = own ? own.url : mail.url
  return {
    field: own ? `transports.${name}.url` : "mail.url",
    urls: urls.length > 0 ? urls : ["capture:"],
    maxPerSecond: own?.maxPerSecond ?? null,
  }
}

/** Mail of campaigns and marketing goes by the second, all other by the first. */
export const laneNames = ["transactional", "bulk"] as const

const memberOf = ({ name, identity, verify }: Transport, record: TransportRecord, lanes: readonly TransportLane[]) => ({
  name,
  lanes,
  record,
  ...(identity && { identity }),
  ...(verify && { verify }),
})

interface Opened {
  readonly transport: Transport
  readonly record: TransportRecord
}

/** The transports of one setting; undefined, and faults, when one of them cannot be opened. */
async function openAll(
  field: string,
  urls: readonly string[],
  deps: TransportDeps,
  faults: ConfigFault[],
): Promise<readonly [Opened, ...Opened[]] | undefined> {
  const opened: Opened[] = []
  let complete = true
  for (const url of urls) {
    try {
      const record = createRecord(deps.clock, { ...deps, log: deps.tools.log })
      opened.push({ transport: record.kept(await openTransport(url, deps)), record })
    } catch (cause) {
      complete = false
      faults.push({ path: field, message: `${redactUrl(url)}: ${reasonOf(cause)}` })
    }
  }
  const [first, ...others] = opened
  if (complete && first) return [first, ...others]
  await Promise.all(opened.map(({ transport }) => transport.close()))
  return undefined
}

/** One URL as one guarded transport. Rejects with an Error for the operator, with nothing secret of the URL in it. */
async function openTransport(text: string, { plugins, tools, clock, threads }: TransportDeps): Promise<Transport> {
  // The message of a failing URL constructor holds the whole URL.
  if (!URL.canParse(text)) throw new Error("this is not a URL")
  const url = new URL(text)
  const scrub = scrubberOf(url)
  const log = scrubbedLog(tools.log, scrub)
  const ready = new AbortController()
  const late = clock.sleep(readyMs, ready.signal).then(() => {
    throw new Error("it is not ready after 30 seconds")
  })
  try {
    return await Promise.race([makeTransport(url, plugins, { ...tools, log, clock }, threads), late]).then(
      (transport) => guarded(transport, scrub, log, clock),
    )
  } catch (cause) {
    throw new Error(scrub(reasonOf(cause)))
  } finally {
    late.catch(() => {})
    ready.abort()
  }
}

async function makeTransport(
  url: URL,
  plugins: readonly TransportPlugin[],
  tools: TransportTools,
  rules: ThreadRules | undefined,
): Promise<Transport> {
  const scheme = url.protocol.slice(0, -1)
  const plugin = scheme === "plugin" ? await loadPlugin(url) : plugins.find(({ schemes }) => schemes.includes(scheme))
  if (!plugin) throw new Error(`no plugin knows ${scheme}:`)
  const transport = validTransport(await plugin.create(url, tools))
  try {
    await transport.check?.()
  } catch (cause) {
    await Promise.resolve(transport.close()).catch(() => {})
    throw cause
  }
  return plugin.threaded ? threaded(url.href, transport, tools, rules) : transport
}

/** The transport with at most `maxPerSecond` messages a second; null changes nothing. */
function limited(transport: Transport, maxPerSecond: number | null): Transport {
  if (maxPerSecond === null) return transport
  const perSecond = Math.min(maxPerSecond, transport.limits.perSecond ?? maxPerSecond)
  return { ...transport, limits: { ...transport.limits, perSecond } }
}
