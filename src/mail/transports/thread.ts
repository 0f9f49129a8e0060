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
import { isLazy, type MessageInput, type SharedInput } from "./lazy-message.ts"
import { textOfOwn, textOfShared } from "./message-input.ts"
import { serialize } from "./serialized-message.ts"
import type { FromThread, SerializedInput, ToThread } from "./thread-protocol.ts"
import { notComposed, stopped } from "./unsent.ts"

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

/** Shared inputs that a thread holds at a time. */
const mostShared = 50

/** How long a thread may take to end its connections, in ms. */
const closeMs = 3_000

/**
 * Starts a thread with the transport of this URL. The thread also composes and signs messages; `begin` of each message is
 * called on this side, when the thread asks for it.
 */
export function createTransportThread(
  url: string,
  { log, clock }: Pick<TransportTools, "log" | "clock">,
  start: () => Worker = startThread,
): TransportThread {
  const thread = start()
  const calls = new Map<number, Call>()
  const signals = new WeakMap<AbortSignal, number>()
  const texts = new WeakMap<SharedInput, string>()
  /** The numbers of the shared inputs that the thread holds, by their text. */
  const shared = new LRUCache<string, number>({ max: mostShared, dispose: (number) => post({ unshare: number }) })
  const closed = Promise.withResolvers<void>()
  let count = 0
  let works = true
  const post = (message: ToThread) => thread.postMessage(message)
  post({ open: url })

  thread.onerror = ({ message }) => fail(message)
  thread.onmessage = ({ data }: MessageEvent<FromThread>) => {
    if ("begin" in data) void begin(data.begin)
    else if ("composed" in data) saveLinks(data.composed, data.targets)
    else if ("notComposed" in data)
      void composeHere(data.notComposed).catch((cause: unknown) => failToCompose(data.notComposed, cause))
    else if ("settled" in data) {
      const { settled, ...receipt } = data
      end(settled, receipt)
    } else if ("closed" in data) closed.resolve()
    else log[data.log](data.message, JSON.parse(data.fields))
  }

  function saveLinks(id: number, targets: string): void {
    const call = calls.get(id)
    if (call === undefined || !isLazy(call.message)) return
    call.stored = call.message.saveLinks(new Map(JSON.parse(targets)))
    // A failure is reported by `begin`, which awaits it.
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
    // From here on the server at the other end may receive the message.
    const goOn = () => {
      call.hasBegun = true
      post({ begun: id })
    }
    await record().then(goOn, (cause: unknown) => post({ begun: id, refused: reasonOf(cause) }))
  }

  async function composeHere(id: number): Promise<void> {
    const call = calls.get(id)
    if (call === undefined) return
    const { message, abort } = call
    const composed = isLazy(message) ? await message.compose() : undefined
    if (composed === undefined) return end(id, notComposed)
    const serialized = await serialize(composed)
    // The thread has forgotten this call, so it did not get the abort.
    if (abort.aborted) return end(id, stopped)
    if (works) post({ send: id, signal: numberOf(abort), ...serialized })
  }

  function failToCompose(id: number, cause: unknown): void {
    log.error("A message could not be composed for the thread that hands over mail", { reason: reasonOf(cause) })
    end(id, notComposed)
  }

  function end(id: number, receipt: Receipt): void {
    calls.get(id)?.settle(receipt)
    calls.delete(id)
  }

  function fail(reason: string): void {
    log.error("The thread that hands over mail has failed", { messages: calls.size, reason })
    closed.resolve()
    // The reason from Bun contains source lines; that of a receipt is shown to the sender, so it has its own text.
    stop("the thread that hands over mail has failed")
  }

  /** Ends all calls: messages whose hand-over had not begun are tried again. */
  function stop(reason: string): void {
    works = false
    thread.terminate()
    for (const [id, { hasBegun }] of calls) end(id, hasBegun ? unknownOutcome(reason) : deferred(reason))
  }

  /** The number of a signal. Many calls share one, so its abort is sent once for all of them. */
  function numberOf(signal: AbortSignal): number {
    const known = signals.get(signal)
    if (known !== undefined) return known
    const number = count++
    signals.set(signal, number)
    signal.addEventListener("abort", () => post({ abort: number }), { once: true })
    return number
  }

  function inputOf(input: MessageInput): SerializedInput {
    const text = texts.get(input.shared) ?? textOfShared(input.shared)
    texts.set(input.shared, text)
    const known = shared.get(text)
    if (known !== undefined) return { shared: known, own: textOfOwn(input) }
    const number = count++
    shared.set(text, number)
    post({ share: number, text })
    return { shared: number, own: textOfOwn(input) }
  }

  async function sendOne(message: Outgoing, abort: AbortSignal): Promise<Receipt> {
    const serialized = isLazy(message) ? inputOf(message.input) : await serialize(message)
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
