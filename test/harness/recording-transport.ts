import { type Outgoing, type Receipt, sent, type Transport, type TransportLimits } from "../../src/mail/transport.ts"
import { begunBefore } from "../../src/mail/transports/begin.ts"

/** A transport that records its messages and gives configured receipts. */
export interface RecordingTransport extends Transport {
  /** Every message handed over, in order, retries included. */
  readonly handed: Outgoing[]
  /** Determines the receipt of the next messages; by default everything is sent. */
  answer: (message: Outgoing) => Receipt | Promise<Receipt>
  /** Whether `answer` calls `begin` of its message itself. */
  answerBegins: boolean
}

export function recordingTransport(limits: Partial<TransportLimits> = {}): RecordingTransport {
  const handed: Outgoing[] = []
  const handOver: Transport["send"] = (messages) =>
    Promise.all(
      messages.map((message) => {
        handed.push(message)
        return transport.answer(message)
      }),
    )
  const transport: RecordingTransport = {
    name: "recording",
    limits: { concurrency: 4, batch: 1, ...limits },
    handed,
    answer: (message) => sent(`provider-${message.id}`),
    answerBegins: false,
    send: (...call) => (transport.answerBegins ? handOver : begunBefore(handOver))(...call),
    close: async () => {},
  }
  return transport
}
