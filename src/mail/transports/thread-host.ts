import { LRUCache } from "lru-cache"
import { hour, systemClock } from "../../kernel/clock.ts"
import { createLog, reasonOf } from "../../kernel/log.ts"
import {
  deferred,
  type Outgoing,
  type Receipt,
  type Transport,
  type TransportPlugin,
  unknownOutcome,
} from "../transport.ts"
import { validTransport } from "./load.ts"
import { type ComposedMessage, type ComposeInput, createInputReader } from "./message-input.ts"
import { deserialize, type SerializedMessage } from "./serialized-message.ts"
import type { FromThread, SerializedInput, ToThread } from "./thread-protocol.ts"

/** A signal that several calls share, and how many of them are under way. */
interface Signal {
  readonly controller: AbortController
  calls: number
}

const mostStored = 5_000
/** How long a stored link need not be stored again; shorter than the store's own interval for updating its last use. */
const storedMs = hour

/** The program of a thread that holds one transport for `createTransportThread`. */
export function hostTransport(thread: Worker, plugin: TransportPlugin): void {
  const signals = new Map<number, Signal>()
  const readShared = createInputReader()
  const composers = new Map<number, ComposeInput>()
  /** Keys of tracked links that are known to be stored, because a message with them has begun. */
  const stored = new LRUCache<string, true>({ max: mostStored, ttl: storedMs })
  const begins = new Map<number, PromiseWithResolvers<void>>()
  let opened: Promise<Transport>
  const post = (message: FromThread) => thread.postMessage(message)
  let isOpen = false
  // The server has logged warnings about the URL when it started, so those from `create` are dropped.
  const log = createLog((level, message, fields) => {
    if (isOpen) post({ log: level, message, fields: JSON.stringify(fields) })
  }, "debug")

  async function open(url: string): Promise<Transport> {
    const transport = validTransport(
      await plugin.create(new URL(url), { log, env: () => undefined, clock: systemClock }),
    )
    isOpen = true
    return transport
  }

  /** Undefined when the message cannot be composed on this thread. Never rejects. */
  async function compose(serialized: SerializedMessage | SerializedInput): Promise<ComposedMessage | undefined> {
    try {
      if ("own" in serialized) return await composers.get(serialized.shared)?.(serialized.own)
      return { message: deserialize(serialized), targets: new Map() }
    } catch (cause) {
      log.debug("A message is not composed by the thread that hands over mail", { reason: reasonOf(cause) })
      return undefined
    }
  }

  async function send(call: number, signal: number, serialized: SerializedMessage | SerializedInput): Promise<void> {
    const known = signals.get(signal) ?? { controller: new AbortController(), calls: 0 }
    signals.set(signal, known)
    known.calls++
    // Before the first await, because the shared input may be removed meanwhile.
    const composing = compose(serialized)
    // A rejection ends the thread, which is useless without its transport.
    const transport = await opened
    const composed = await composing
    if (composed === undefined) post({ notComposed: call })
    else post({ settled: call, ...(await handOver(transport, call, composed, known.controller.signal)) })
    begins.delete(call)
    known.calls--
    if (known.calls === 0) signals.delete(signal)
  }

  async function handOver(
    { send }: Transport,
    call: number,
    composed: ComposedMessage,
    abort: AbortSignal,
  ): Promise<Receipt> {
    try {
      const [receipt] = await send([withBegin(call, composed)], abort)
      return receipt ?? unknownOutcome("no receipt")
    } catch (cause) {
      return begins.has(call) ? unknownOutcome(reasonOf(cause)) : deferred(reasonOf(cause))
    }
  }

  /** Reports new links early, so that they are stored while the message waits for a connection and its envelope is sent. */
  function tellLinks(call: number, { targets }: ComposedMessage): string[] {
    const due = [...targets].filter(([key]) => !stored.has(key))
    if (due.length > 0) post({ composed: call, targets: JSON.stringify(due) })
    return due.map(([key]) => key)
  }

  function withBegin(call: number, composed: ComposedMessage): Outgoing {
    const keys = tellLinks(call, composed)
    return { ...composed.message, begin: () => begin(call, keys) }
  }

  function begin(call: number, links: readonly string[]): Promise<void> {
    const known = begins.get(call)
    if (known) return known.promise
    const asked = Promise.withResolvers<void>()
    begins.set(call, asked)
    // Handled here, because a hand-over whose connection fails does not await it.
    asked.promise.then(
      () => {
        for (const key of links) stored.set(key, true)
      },
      () => {},
    )
    post({ begin: call })
    return asked.promise
  }

  async function close(): Promise<void> {
    await opened.then((transport) => transport.close()).catch(() => {})
    post({ closed: true })
  }

  thread.onmessage = ({ data }: MessageEvent<ToThread>) => {
    if ("send" in data) void send(data.send, data.signal, data)
    else if ("begun" in data) {
      const { begun, refused } = data
      if (refused === undefined) begins.get(begun)?.resolve()
      else begins.get(begun)?.reject(new Error(refused))
    } else if ("share" in data) composers.set(data.share, readShared(data.text))
    else if ("unshare" in data) composers.delete(data.unshare)
    else if ("abort" in data) signals.get(data.abort)?.controller.abort()
    else if ("open" in data) opened = open(data.open)
    else void close()
  }
}
