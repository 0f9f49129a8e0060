import { type Outgoing, type Receipt, type Transport, type TransportTools, unknownOutcome } from "../transport.ts"
import { createTransportThread, type TransportThread } from "./thread.ts"
import { isUnmade } from "./unmade.ts"
import { notMade } from "./unsent.ts"

export interface ThreadRules {
  /** So many calls with bulk mail at once are worth a thread. */
  readonly leastCalls: number
  /** A thread that has had no mail for so long ends, because it takes some megabytes; in ms. */
  readonly idleMs: number
}

const usual: ThreadRules = { leastCalls: 4, idleMs: 30_000 }

/**
 * A transport whose mail leaves by a thread as soon as much bulk mail does, and until there is none at all for a while. There
 * the messages are composed and signed, too. One side opens connections only when those of the other are closed, because
 * servers limit their number.
 */
export function threaded(
  url: string,
  local: Transport,
  tools: Pick<TransportTools, "log" | "clock">,
  { leastCalls, idleMs } = usual,
): Transport {
  /** One that has failed stays here, so that there is no other. */
  let thread: TransportThread | undefined
  let underWay = 0
  let bulkUnderWay = 0
  /** Resolves when the side that is not used any more has no connection that is idle. Never rejects. */
  let changed: Promise<void> = Promise.resolve()
  /** Fires when there is mail again. */
  let idle = new AbortController()
  let isClosed = false

  /** Ends local connections that are kept for later messages. */
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

  /** Hands over what is made. Connections of this side are ended once there are those of the thread. */
  async function handOver(messages: readonly Outgoing[], abort: AbortSignal): Promise<Receipt[]> {
    const side = sideFor()
    await changed
    const receipts = await side.send(messages, abort)
    if (side === local && thread?.works) await closeIdle()
    return receipts
  }

  /** Without the thread, messages are made here. That takes a while, after which there may be a thread. */
  async function sendMade(messages: readonly Outgoing[], abort: AbortSignal): Promise<Receipt[]> {
    const made = await Promise.all(messages.map((message) => (isUnmade(message) ? message.make() : message)))
    const left = made.filter((message) => message !== undefined)
    const receipts = left.length > 0 ? await handOver(left, abort) : []
    const receiptOf = (message: Outgoing | undefined): Receipt =>
      message ? (receipts.shift() ?? unknownOutcome("no receipt")) : notMade
    return made.map(receiptOf)
  }

  async function send(messages: readonly Outgoing[], abort: AbortSignal): Promise<Receipt[]> {
    const bulk = messages.some(({ stream }) => stream === "bulk") ? 1 : 0
    if (underWay === 0) idle.abort()
    underWay++
    bulkUnderWay += bulk
    try {
      const isMadeHere = sideFor() === local && messages.some(isUnmade)
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
    // The thread stores what a message needs when it begins.
    ...(local.beginsEach && { takesUnmade: true }),
    async close() {
      isClosed = true
      idle.abort()
      await Promise.all([endThread(), local.close()])
    },
  }
}
