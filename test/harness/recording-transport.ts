import { type Outgoing, type Receipt, sent, type Transport, type TransportLimits } from "../../src/mail/transport.ts"
import { begunBefore } from "../../src/mail/transports/begin.ts"

/** A transport that records its messages and gives configured receipts. */
export interface RecordingTransport extends Transport {
  /** Every message handed over, in order, retries included. */
  readonly handed: Outgoing[]
  /** Determines the receipt of the next messages; by default everything is sent. */
  answer: (message: Outgoing) => Receipt | Promise<Receipt>
}

export function recordingTransport(limits: Partial<TransportLimits> = {}): RecordingTransport {
  const handed: Outgoing[] = []
  const transport: RecordingTransport = {
    name: "recording",
    limits: { concurrency: 4, batch: 1, ...limits },
    handed,
    answer: (message) => sent(`provider-${message.id}`),
    send: begunBefore(async (messages) =>
      Promise.all(
        messages.map((message) => {
          handed.push(message)
          return transport.answer(message)
        }),
      ),
    ),
    close: async () => {},
  }
  return transport
}
