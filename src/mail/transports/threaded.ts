import { type Outgoing, type Receipt, type Transport, type TransportTools, unknownOutcome } from "../transport.ts"
import { isLazy } from "./lazy-message.ts"
import { createTransportThread, type TransportThread } from "./thread.ts"
import { notComposed } from "./unsent.ts"

export interface ThreadRules {
  /** Concurrent calls with bulk mail from which on a thread is used. */
  readonly leastCalls: number
  /** How long a thread may be idle before it ends, in ms: it takes some megabytes. */
  readonly idleMs: number
}

const usual: ThreadRules = { leastCalls: 4, idleMs: 30_000 }

/**
 * A transport that moves to a thread while there is much bulk mail, until there has been no mail at all for a while. The
 * thread also composes and signs the messages. Either side opens connections only after the other has closed its own,
 * because servers limit their number.
 */
export function threaded(
  url: string,
  local: Transport,
  tools: Pick<TransportTools, "log" | "clock">,
  { leastCalls, idleMs } = usual,
): Transport {
  /** Also a thread that has failed, so that no other is started. */
  let thread: TransportThread | undefined
  let underWay = 0
  let bulkUnderWay = 0
  /** Resolves when the side that is no longer used has closed its idle connections. Never rejects. */
  let changed: Promise<void> = Promise.resolve()
  /** Aborted by the next mail. */
  let idle = new AbortController()
  let isClosed = false

  /** Closes the idle connections of this side. */
  const closeIdle = async () => local.closeIdle?.()

  function sideFor(): Pick<Transport, "send"> {
    if (thread === undefined && bulkUnderWay >= leastCalls && !isClosed) {
      thread = createTransportThread(url, tools)
      changed = Promise.all([changed, closeIdle()]).then(() => {})
    }
    return thread?.works ? thread : local
  }

  function endThread(): Promise<void> {
    if (thread?.works) {
      changed = thread.close()
      thread = undefined
    }
    return changed
  }

  async function endWhenIdle(): Promise<void> {
    idle = new AbortController()
    const { signal } = idle
    await tools.clock.sleep(idleMs, signal)
    if (!signal.aborted) await endThread()
  }

  /** Hands messages over on the side in use. Idle connections of this side are closed once the thread is in use. */
  async function handOver(messages: readonly Outgoing[], abort: AbortSignal): Promise<Receipt[]> {
    const side = sideFor()
    await changed
    const receipts = await side.send(messages, abort)
    if (side === local && thread?.works) await closeIdle()
    return receipts
  }

  /** Composes the messages on this side, which takes a while: a thread may have been started by then. */
  async function sendMade(messages: readonly Outgoing[], abort: AbortSignal): Promise<Receipt[]> {
    const composed = await Promise.all(messages.map((message) => (isLazy(message) ? message.compose() : message)))
    const left = composed.filter((message) => message !== undefined)
    const receipts = left.length > 0 ? await handOver(left, abort) : []
    const receiptOf = (message: Outgoing | undefined): Receipt =>
      message ? (receipts.shift() ?? unknownOutcome("no receipt")) : notComposed
    return composed.map(receiptOf)
  }

  async function send(messages: readonly Outgoing[], abort: AbortSignal): Promise<Receipt[]> {
    const bulk = messages.some(({ stream }) => stream === "bulk") ? 1 : 0
    if (underWay === 0) idle.abort()
    underWay++
    bulkUnderWay += bulk
    try {
      const isMadeHere = sideFor() === local && messages.some(isLazy)
      return await (isMadeHere ? sendMade(messages, abort) : handOver(messages, abort))
    } finally {
      underWay--
      bulkUnderWay -= bulk
      if (underWay === 0 && thread?.works) void endWhenIdle()
    }
  }

  return {
    ...local,
    send,
    // Lazy messages are stored by the thread when they begin.
    ...(local.beginsEach && { takesLazy: true }),
    async close() {
      isClosed = true
      idle.abort()
      await Promise.all([endThread(), local.close()])
    },
  }
}
