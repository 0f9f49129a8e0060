import type { Level } from "../../kernel/log.ts"
import type { Receipt } from "../transport.ts"
import type { SerializedMessage } from "./serialized-message.ts"

/** What a server asks of a thread that holds a transport. The first is `open`. */
export type ToThread =
  | { readonly open: string }
  /** Hands one message over. `signal` is a number for the signal that may abort it. */
  | ({ readonly send: number; readonly signal: number } & (SerializedMessage | SerializedParts))
  /** What messages are made from, in the words of `message-parts.ts`, until `unshare`. */
  | { readonly share: number; readonly text: string }
  | { readonly unshare: number }
  /** Aborts what was sent with this signal. */
  | { readonly abort: number }
  /** The beginning of a message is on record; with a reason, it may not be handed over. */
  | { readonly begun: number; readonly refused?: string }
  /** Ends the connections; answered with `closed`. */
  | { readonly close: true }

/** A message that the thread makes from its own parts and from those that it shares with others. */
export interface SerializedParts {
  readonly shared: number
  readonly own: string
}

export type FromThread =
  /** The message was made, with these tracked links: their addresses by their keys, as JSON of pairs. */
  | { readonly made: number; readonly targets: string }
  /** The message is about to be handed over: answered with `begun`, once its links are stored. */
  | { readonly begin: number }
  /** The message could not be made from its parts: answered with `send` and the message. */
  | { readonly unmade: number }
  | ({ readonly settled: number } & Receipt)
  | { readonly closed: true }
  | { readonly log: Level; readonly message: string; readonly fields: string }
