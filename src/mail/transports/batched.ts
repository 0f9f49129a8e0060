import { createSemaphore } from "../../kernel/semaphore.ts"
import type { Outgoing, Receipt, TellReceipt, Transport } from "../transport.ts"
import { stopped } from "./unsent.ts"

/**
 * `send` of a transport for callers who do not respect its limits: a list of any length is handed over in batches, and no
 * more calls are under way than it takes at once. What still waits when `abort` fires is deferred. `tell` hears of each
 * batch when it has ended.
 */
export function batched({ limits, send }: Transport): Transport["send"] {
  const semaphore = createSemaphore(limits.concurrency)

  async function sendBatch(batch: readonly Outgoing[], abort: AbortSignal, tell?: TellReceipt): Promise<Receipt[]> {
    const isStopped = !(await semaphore.acquire(abort))
    if (isStopped) return batch.map(() => stopped)
    try {
      const receipts = await send(batch, abort)
      for (const [at, receipt] of receipts.entries()) if (batch[at]) tell?.(batch[at], receipt)
      return receipts
    } finally {
      semaphore.release()
    }
  }

  return async (messages, abort, tell) => {
    const batches: Promise<Receipt[]>[] = []
    for (let at = 0; at < messages.length; at += limits.batch) {
      batches.push(sendBatch(messages.slice(at, at + limits.batch), abort, tell))
    }
    return (await Promise.all(batches)).flat()
  }
}
