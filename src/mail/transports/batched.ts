import { createSemaphore } from "../../kernel/semaphore.ts"
import { deferred, type Outgoing, type Receipt, type Transport } from "../transport.ts"

/**
 * `send` of a transport for callers who do not respect its limits: a list of any length is handed over in batches, and no
 * more calls are under way than it takes at once. What still waits when `abort` fires is deferred.
 */
export function batched({ limits, send }: Transport): Transport["send"] {
  const semaphore = createSemaphore(limits.concurrency)

  async function sendBatch(batch: readonly Outgoing[], abort: AbortSignal): Promise<Receipt[]> {
    const isStopped = !(await semaphore.acquire(abort))
    if (isStopped) return batch.map(() => deferred("stopped before it was handed over"))
    try {
      return await send(batch, abort)
    } finally {
      semaphore.release()
    }
  }

  return async (messages, abort) => {
    const batches: Promise<Receipt[]>[] = []
    for (let at = 0; at < messages.length; at += limits.batch) {
      batches.push(sendBatch(messages.slice(at, at + limits.batch), abort))
    }
    return (await Promise.all(batches)).flat()
  }
}
