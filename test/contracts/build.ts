import { createPlugins } from "../../plugins/index.ts"
import { systemClock } from "../../src/kernel/clock.ts"
import { createLog } from "../../src/kernel/log.ts"
import { type Outgoing, type Receipt, sent, type Transport } from "../../src/mail/transport.ts"
import { createTransports } from "../../src/mail/transports.ts"

export interface BuiltTransport {
  readonly transport: Transport
  /** The logged lines. */
  readonly logged: () => string
  /** The messages given to `capture:`. */
  readonly captured: Outgoing[]
  /** Sends one message and resolves with its receipt. */
  send(message: Outgoing): Promise<Receipt>
}

/** The transport of these URLs, built as the program builds it. */
export async function buildTransport(...urls: string[]): Promise<BuiltTransport> {
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
  const { transactional: transport } = await createTransports(
    { mail: { url: urls, transactional: null, bulk: null }, transports: {} },
    { plugins: createPlugins(capture), tools: { log, env: () => undefined }, clock: systemClock },
  )
  return {
    transport,
    logged: () => lines.join("\n"),
    captured,
    async send(message) {
      const [receipt] = await transport.send([message], new AbortController().signal)
      if (!receipt) throw new Error("no receipt came back")
      return receipt
    },
  }
}
