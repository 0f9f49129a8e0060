import { readEnvelopeHeaders } from "../../../src/inbound/envelope-headers.ts"
import { createSmtpListener } from "../../../src/inbound/listener.ts"
import { accepted } from "../../../src/inbound/types.ts"
import { silentLog } from "../../../src/kernel/log.ts"

/** An SMTP server that takes everything and remembers which messages came, and how often. */
export async function startSink() {
  const arrivals = new Map<string, string[]>()
  const listener = createSmtpListener<never>(
    { host: "127.0.0.1", port: 0, hostname: "sink.test", auth: "none", log: silentLog },
    {
      async receive({ recipients, raw }) {
        const messageId = readEnvelopeHeaders(raw).messageId ?? ""
        for (const to of recipients) arrivals.set(to, [...(arrivals.get(to) ?? []), messageId])
        return accepted("taken")
      },
    },
  )
  const { port } = await listener.start()
  return { port, arrivals, stop: () => listener.stop(100) }
}

export type Sink = Awaited<ReturnType<typeof startSink>>
