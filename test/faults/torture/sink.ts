import { readEnvelopeHeaders } from "../../../src/inbound/envelope-headers.ts"
import { startSink as startSmtpSink } from "../../harness/smtp-sink.ts"

/** An SMTP server that accepts everything and counts each message. */
export interface Sink {
  readonly port: number
  /** The Message-IDs of what each recipient got. */
  readonly arrivals: ReadonlyMap<string, readonly string[]>
  /** Recipients for whom DATA was open, whether or not a whole message came. */
  readonly opened: ReadonlySet<string>
  stop(): Promise<void>
}

export async function startSink(): Promise<Sink> {
  const smtp = await startSmtpSink()
  const arrivals = new Map<string, string[]>()
  const opened = new Set<string>()
  let read = 0
  smtp.always("body", (to) => {
    opened.add(to)
    return undefined
  })
  return {
    port: smtp.port,
    opened,
    get arrivals() {
      for (; read < smtp.messages.length; read++) {
        const { to, raw } = smtp.messages[read] ?? { to: [], raw: Buffer.alloc(0) }
        const messageId = readEnvelopeHeaders(raw).messageId ?? ""
        for (const one of to) arrivals.set(one, [...(arrivals.get(one) ?? []), messageId])
      }
      return arrivals
    },
    stop: () => smtp.stop(),
  }
}
