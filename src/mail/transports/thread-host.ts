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
import { createPartsReader, type MadeMessage, type MakeFromParts } from "./message-parts.ts"
import { deserialize, type SerializedMessage } from "./serialized-message.ts"
import type { FromThread, SerializedParts, ToThread } from "./thread-protocol.ts"

/** The signal of calls that end together, and how many of them are under way. */
interface Signal {
  readonly controller: AbortController
  calls: number
}

const mostStored = 5_000
/** For so long a link need not be stored again: less than the use of links may be behind in the store. */
const storedMs = hour

/** The program of a thread that holds one transport for `createTransportThread`. */
export function hostTransport(thread: Worker, plugin: TransportPlugin): void {
  const signals = new Map<number, Signal>()
  const readShared = createPartsReader()
  const makers = new Map<number, MakeFromParts>()
  /** Keys of tracked links that messages have begun with, so they are stored. */
  const stored = new LRUCache<string, true>({ max: mostStored, ttl: storedMs })
  const begins = new Map<number, PromiseWithResolvers<void>>()
  let opened: Promise<Transport>
  const post = (message: FromThread) => thread.postMessage(message)
  let isOpen = false
  // What there is to say of the URL was said when the server started.
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

  /** Undefined when it cannot be made here. Never rejects. */
  async function make(serialized: SerializedMessage | SerializedParts): Promise<MadeMessage | undefined> {
    try {
      if ("own" in serialized) return await makers.get(serialized.shared)?.(serialized.own)
      return { message: deserialize(serialized), targets: new Map() }
    } catch (cause) {
      log.debug("A message is not made by the thread that hands over mail", { reason: reasonOf(cause) })
      return undefined
    }
  }

  async function send(call: number, signal: number, serialized: SerializedMessage | SerializedParts): Promise<void> {
    const known = signals.get(signal) ?? { controller: new AbortController(), calls: 0 }
    signals.set(signal, known)
    known.calls++
    // At once, because what it is made from may be removed.
    const making = make(serialized)
    // Without its transport the thread is of no use, so it fails.
    const transport = await opened
    const made = await making
    if (made === undefined) post({ unmade: call })
    else post({ settled: call, ...(await handOver(transport, call, made, known.controller.signal)) })
    begins.delete(call)
    known.calls--
    if (known.calls === 0) signals.delete(signal)
  }

  async function handOver({ send }: Transport, call: number, made: MadeMessage, abort: AbortSignal): Promise<Receipt> {
    try {
      const [receipt] = await send([withBegin(call, made)], abort)
      return receipt ?? unknownOutcome("no receipt")
    } catch (cause) {
      return begins.has(call) ? unknownOutcome(reasonOf(cause)) : deferred(reasonOf(cause))
    }
  }

  /** They are stored while the message waits for a connection, and while its envelope is sent. */
  function tellLinks(call: number, { targets }: MadeMessage): string[] {
    const due = [...targets].filter(([key]) => !stored.has(key))
    if (due.length > 0) post({ made: call, targets: JSON.stringify(due) })
    return due.map(([key]) => key)
  }

  function withBegin(call: number, made: MadeMessage): Outgoing {
    const keys = tellLinks(call, made)
    return { ...made.message, begin: () => begin(call, keys) }
  }

  function begin(call: number, links: readonly string[]): Promise<void> {
    const known = begins.get(call)
    if (known) return known.promise
    const asked = Promise.withResolvers<void>()
    begins.set(call, asked)
    // A connection that fails meanwhile does not wait for it.
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
    } else if ("share" in data) makers.set(data.share, readShared(data.text))
    else if ("unshare" in data) makers.delete(data.unshare)
    else if ("abort" in data) signals.get(data.abort)?.controller.abort()
    else if ("open" in data) opened = open(data.open)
    else void close()
  }
}
