import { createPlugins } from "../../plugins/index.ts"
import { ConfigError } from "../../src/config.ts"
import { type Clock, systemClock } from "../../src/kernel/clock.ts"
import { createLog } from "../../src/kernel/log.ts"
import { type Outgoing, type Receipt, sent, type Transport } from "../../src/mail/transport.ts"
import type { ThreadRules } from "../../src/mail/transports/threaded.ts"
import { createTransports, type Transports } from "../../src/mail/transports.ts"
import { until } from "../harness/store.ts"
import { messageTo } from "./messages.ts"

export interface BuiltTransport {
  readonly transport: Transport
  readonly members: Transports["members"]
  /** The logged lines. */
  readonly logged: () => string
  /** The messages given to `capture:`. */
  readonly captured: Outgoing[]
  /** Sends one message and resolves with its receipt. */
  send(message: Outgoing): Promise<Receipt>
}

/** What a refused configuration says, one fault a line. */
export function refusalOf(cause: unknown): string {
  if (!(cause instanceof ConfigError)) throw cause
  return cause.faults.map(({ path, message }) => `${path}: ${message}`).join("\n")
}

/** The transport of these URLs, built as the program builds it. */
export const buildTransport = (...urls: string[]): Promise<BuiltTransport> => buildWith({}, ...urls)

interface BuildOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly clock?: Clock
  readonly threads?: ThreadRules
}

/** The same with an environment, and a clock in the hands of the test. */
export async function buildWith(
  { env = {}, clock = systemClock, threads }: BuildOptions,
  ...urls: string[]
): Promise<BuiltTransport> {
  const lines: string[] = []
  const captured: Outgoing[] = []
  const log = createLog(
    (level, message, fields) => lines.push(`${level} ${message} ${JSON.stringify(fields)}`),
    "debug",
  )
  const capture = async (message: Outgoing) => {
    if (message.to.address.startsWith("defer")) throw new Error("the disk is full")
    captured.push(message)
    return sent(null)
  }
  const { transactional: transport, members } = await createTransports(
    { mail: { url: urls, transactional: null, bulk: null }, transports: {} },
    { plugins: createPlugins(capture), tools: { log, env: (name) => env[name] }, clock, threads },
  )
  return {
    transport,
    members,
    logged: () => lines.join("\n"),
    captured,
    async send(message) {
      const [receipt] = await transport.send([message], new AbortController().signal)
      if (!receipt) throw new Error("no receipt came back")
      return receipt
    },
  }
}

interface LateAnswer {
  /** Whether the message has arrived. */
  isAsked(): boolean
  /** Lets the answer to it come. */
  answer(): void
}

/** Hands over one message, and stops a moment before the answer comes; resolves with the receipts. */
export async function stopBeforeAnswer(transport: Transport, { isAsked, answer }: LateAnswer) {
  const stop = new AbortController()
  const sending = transport.send([messageTo("accept@example.com")], stop.signal)
  await until(isAsked)
  stop.abort()
  const stoppedAt = performance.now()
  await until(() => performance.now() > stoppedAt + 10)
  answer()
  return sending
}
