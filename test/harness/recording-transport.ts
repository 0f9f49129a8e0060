import { type Outgoing, type Receipt, sent, type Transport, type TransportLimits } from "../../src/mail/transport.ts"

/** A transport that keeps what it is given and answers as it is told. */
export interface RecordingTransport extends Transport {
  /** Every message handed over, in order, retries included. */
  readonly handed: Outgoing[]
  /** Decides the receipt of the next messages; everything is sent until told otherwise. */
  answer: (message: Outgoing) => Receipt | Promise<Receipt>
}

export function recordingTransport(limits: Partial<TransportLimits> = {}): RecordingTransport {
  const handed: Outgoing[] = []
  const transport: RecordingTransport = {
    name: "recording",
    limits: { concurrency: 4, batch: 1, ...limits },
    handed,
    answer: (message) => sent(`provider-${message.id}`),
    async send(messages) {
      return Promise.all(
        messages.map((message) => {
          handed.push(message)
          return transport.answer(message)
        }),
      )
    },
    close: async () => {},
  }
  return transport
}
