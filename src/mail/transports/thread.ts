import { LRUCache } from "lru-cache"
import { reasonOf } from "../../kernel/log.ts"
import {
  deferred,
  type Outgoing,
  type Receipt,
  type Transport,
  type TransportTools,
  unknownOutcome,
} from "../transport.ts"
import { textOfOwn, textOfShared } from "./message-parts.ts"
import { serialize } from "./serialized-message.ts"
import type { FromThread, SerializedParts, ToThread } from "./thread-protocol.ts"
import { isUnmade, type MessageParts, type SharedParts } from "./unmade.ts"
import { notMade, stopped } from "./unsent.ts"

/** The path of the thread's program inside the executable; defined by `config/build.ts`. */
declare const MAILSTEAD_TRANSPORT_WORKER: string | undefined
const program =
  typeof MAILSTEAD_TRANSPORT_WORKER === "string" ? MAILSTEAD_TRANSPORT_WORKER : "../../transport-worker.ts"

/** A transport on a thread of its own. */
export interface TransportThread extends Pick<Transport, "send"> {
  /** False once it has failed or was closed. */
  readonly works: boolean
  /** Aborts what is under way, and ends the connections and the thread. */
  close(): Promise<void>
}

interface Call {
  readonly message: Outgoing
  readonly abort: AbortSignal
  /** Settles when its tracked links are stored. */
  stored?: Promise<void>
  hasBegun: boolean
  settle(receipt: Receipt): void
}

const startThread = () => new Worker(new URL(program, import.meta.url).href, { ref: false })

/** The contents that a thread has at once. */
const mostShared = 50

/** How long a thread may take to end its connections, in ms. */
const closeMs = 3_000

/**
 * Starts a thread with the transport of this URL, which composes and signs the messages too. `begin` of each is called here,
 * when the thread asks for it.
 */
export function createTransportThread(
  url: string,
  { log, clock }: Pick<TransportTools, "log" | "clock">,
  start: () => Worker = startThread,
): TransportThread {
  const thread = start()
  const calls = new Map<number, Call>()
  const signals = new WeakMap<AbortSignal, number>()
  const texts = new WeakMap<SharedParts, string>()
  /** What the thread has been given for many messages, by its text. */
  const shared = new LRUCache<string, number>({ max: mostShared, dispose: (made) => post({ unshare: made }) })
  const closed = Promise.withResolvers<void>()
  let count = 0
  let works = true
  const post = (message: ToThread) => thread.postMessage(message)
  post({ open: url })

  thread.onerror = ({ message }) => fail(message)
  thread.onmessage = ({ data }: MessageEvent<FromThread>) => {
    if ("begin" in data) void begin(data.begin)
    else if ("made" in data) saveLinks(data.made, data.targets)
    else if ("unmade" in data) void makeHere(data.unmade).catch((cause: unknown) => failToMake(data.unmade, cause))
    else if ("settled" in data) {
      const { settled, ...receipt } = data
      end(settled, receipt)
    } else if ("closed" in data) closed.resolve()
    else log[data.log](data.message, JSON.parse(data.fields))
  }

  function saveLinks(id: number, targets: string): void {
    const call = calls.get(id)
    if (call === undefined || !isUnmade(call.message)) return
    call.stored = call.message.saveLinks(new Map(JSON.parse(targets)))
    // `begin` tells of it.
    call.stored.catch(() => {})
  }

  async function begin(id: number): Promise<void> {
    const call = calls.get(id)
    if (call === undefined) return
    const record = async () => {
      await call.stored
      if (!calls.has(id)) throw new Error("It has its receipt already.")
      await call.message.begin()
    }
    // The other side may have the message once the thread is told to go on.
    const goOn = () => {
      call.hasBegun = true
      post({ begun: id })
    }
    await record().then(goOn, (cause: unknown) => post({ begun: id, refused: reasonOf(cause) }))
  }

  async function makeHere(id: number): Promise<void> {
    const call = calls.get(id)
    if (call === undefined) return
    const { message, abort } = call
    const made = isUnmade(message) ? await message.make() : undefined
    if (made === undefined) return end(id, notMade)
    const serialized = await serialize(made)
    // The thread knows nothing of this call any more, so it would not hear that it was aborted.
    if (abort.aborted) return end(id, stopped)
    if (works) post({ send: id, signal: numberOf(abort), ...serialized })
  }

  function failToMake(id: number, cause: unknown): void {
    log.error("A message could not be made for the thread that hands over mail", { reason: reasonOf(cause) })
    end(id, notMade)
  }

  function end(id: number, receipt: Receipt): void {
    calls.get(id)?.settle(receipt)
    calls.delete(id)
  }

  function fail(reason: string): void {
    log.error("The thread that hands over mail has failed", { messages: calls.size, reason })
    closed.resolve()
    // Bun puts lines of the program into the reason, and that of a receipt is shown to the sender.
    stop("the thread that hands over mail has failed")
  }

  /** What it had not handed over yet is tried again. */
  function stop(reason: string): void {
    works = false
    thread.terminate()
    for (const [id, { hasBegun }] of calls) end(id, hasBegun ? unknownOutcome(reason) : deferred(reason))
  }

  /** Many calls share a signal, and hear of its abort together. */
  function numberOf(signal: AbortSignal): number {
    const known = signals.get(signal)
    if (known !== undefined) return known
    const made = count++
    signals.set(signal, made)
    signal.addEventListener("abort", () => post({ abort: made }), { once: true })
    return made
  }

  function partsOf(parts: MessageParts): SerializedParts {
    const text = texts.get(parts.shared) ?? textOfShared(parts.shared)
    texts.set(parts.shared, text)
    const known = shared.get(text)
    if (known !== undefined) return { shared: known, own: textOfOwn(parts) }
    const made = count++
    shared.set(text, made)
    post({ share: made, text })
    return { shared: made, own: textOfOwn(parts) }
  }

  async function sendOne(message: Outgoing, abort: AbortSignal): Promise<Receipt> {
    const serialized = isUnmade(message) ? partsOf(message.parts) : await serialize(message)
    if (abort.aborted || !works) return stopped
    return new Promise((settle) => {
      const id = count++
      calls.set(id, { message, abort, hasBegun: false, settle })
      post({ send: id, signal: numberOf(abort), ...serialized })
    })
  }

  return {
    get works() {
      return works
    },
    send: (messages, abort) => Promise.all(messages.map((message) => sendOne(message, abort))),
    async close() {
      works = false
      post({ close: true })
      const over = new AbortController()
      await Promise.race([closed.promise, clock.sleep(closeMs, over.signal)])
      over.abort()
      stop("stopped without an answer")
    },
  }
}
