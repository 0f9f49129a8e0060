import type { Level } from "../../kernel/log.ts"
import type { Receipt } from "../transport.ts"
import type { SerializedMessage } from "./serialized-message.ts"

/** What a server asks of a thread that holds a transport. The first is `open`. */
export type ToThread =
  | { readonly open: string }
  /** Hands one message over. `signal` is a number for the signal that may abort it. */
  | ({ readonly send: number; readonly signal: number } & SerializedMessage)
  /** Aborts what was sent with this signal. */
  | { readonly abort: number }
  /** The beginning of a message is on record; with a reason, it may not be handed over. */
  | { readonly begun: number; readonly refused?: string }
  /** Ends the connections; answered with `closed`. */
  | { readonly close: true }

export type FromThread =
  /** The message is about to be handed over: answered with `begun`. */
  | { readonly begin: number }
  | ({ readonly settled: number } & Receipt)
  | { readonly closed: true }
  | { readonly log: Level; readonly message: string; readonly fields: string }
