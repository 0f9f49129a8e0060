import { createSmtpListener } from "../../src/inbound/listener.ts"
import { accepted, type Received, type Receiver, type SmtpListenerOptions } from "../../src/inbound/types.ts"
import { systemClock } from "../../src/kernel/clock.ts"
import { createLog, type Fields, type Level } from "../../src/kernel/log.ts"
import { connectSmtp, type SmtpClient, type SmtpClientOptions } from "./smtp-client.ts"

/** A running listener whose receiver accepts everything by default. */
interface TestListener extends AsyncDisposable {
  readonly port: number
  readonly received: Received<string>[]
  /** What was logged at warn and error. */
  readonly logged: { level: Level; message: string; fields: Fields }[]
  /** Connects and reads the greeting. */
  connect(options?: SmtpClientOptions): Promise<SmtpClient>
  stop(graceMs: number): Promise<void>
}

export async function startListener(
  options: Partial<SmtpListenerOptions> = {},
  receiver: Partial<Receiver<string>> = {},
): Promise<TestListener> {
  const received: Received<string>[] = []
  const logged: TestListener["logged"] = []
  const log = createLog((level, message, fields) => logged.push({ level, message, fields }), "warn")
  const listener = createSmtpListener<string>(
    { host: "127.0.0.1", port: 0, hostname: "mail.test", auth: "none", log, clock: systemClock, ...options },
    {
      receive: async (message) => {
        received.push(message)
        return accepted(`message-${received.length}`)
      },
      ...receiver,
    },
  )
  const { port } = await listener.start()
  const clients: SmtpClient[] = []
  return {
    port,
    received,
    logged,
    async connect(clientOptions) {
      const client = await connectSmtp(port, clientOptions)
      clients.push(client)
      await client.reply()
      return client
    },
    stop: (graceMs) => listener.stop(graceMs),
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.drop()
      await listener.stop(0)
    },
  }
}

export const textOf = (message: Received<string> | undefined): string => Buffer.from(message?.raw ?? []).toString()
