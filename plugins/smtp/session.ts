import type { Outgoing, Receipt } from "../../src/mail/transport.ts"

export interface Delivery {
  readonly receipt: Receipt
  /** Whether the session can take another message. */
  readonly reusable: boolean
  /** Whether the server had closed a reused session before anything was handed over; a new one may succeed. */
  readonly stale: boolean
}

/** When a delivery ends at the latest. */
export interface Bounds {
  readonly abort: AbortSignal
  /** A time of `performance.now()`. */
  readonly until: number
}

/** One logged-in connection. It takes one message at a time. */
export interface Session {
  /** The number of messages it was given. */
  readonly used: number
  readonly alive: boolean
  /** Never rejects. When the signal aborts it settles promptly, and the session cannot be used again. */
  deliver(message: Outgoing, bytes: Uint8Array, bounds: Bounds): Promise<Delivery>
  /** Sends QUIT; resolves when the connection is closed, within a second. */
  end(): Promise<void>
}

/** How long to wait for the reply to a message that is handed over, once the caller wants to stop; and for that to QUIT. */
export const finalReplyMs = 1_000

/** Makes what a server said fit to be stored and shown. */
export type CleanText = (words: string) => string

export const stoppedWords = "stopped before the message was handed over"
