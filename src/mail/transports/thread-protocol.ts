import type { Level } from "../../kernel/log.ts"
import type { Receipt } from "../transport.ts"
import type { SerializedMessage } from "./serialized-message.ts"

/** Messages from the server to a thread that holds a transport. The first one is `open`. */
export type ToThread =
  | { readonly open: string }
  /** Hands one message over. `signal` is a number for the signal that may abort it. */
  | ({ readonly send: number; readonly signal: number } & (SerializedMessage | SerializedInput))
  /** The shared input of messages, as `textOfShared` writes it; kept until `unshare`. */
  | { readonly share: number; readonly text: string }
  | { readonly unshare: number }
  /** Aborts what was sent with this signal. */
  | { readonly abort: number }
  /** The beginning of a message is on record; with a reason, it may not be handed over. */
  | { readonly begun: number; readonly refused?: string }
  /** Ends the connections; answered with `closed`. */
  | { readonly close: true }

/** A message for the thread to compose: `shared` is the number of a `share` message. */
export interface SerializedInput {
  readonly shared: number
  readonly own: string
}

export type FromThread =
  /** The message was composed and has these tracked links: `[key, URL]` pairs as JSON. */
  | { readonly composed: number; readonly targets: string }
  /** The message is about to be handed over: answered with `begun`, once its links are stored. */
  | { readonly begin: number }
  /** The message could not be composed from its input: answered with `send` and the composed message. */
  | { readonly notComposed: number }
  | ({ readonly settled: number } & Receipt)
  | { readonly closed: true }
  | { readonly log: Level; readonly message: string; readonly fields: string }
