import { deferred, type Outgoing, type Receipt, type Transport } from "../transport.ts"

/**
 * `send` of a transport for callers who do not respect its limits: a list of any length is handed over in batches, and no
 * more calls are under way than it takes at once. What still waits when `abort` fires is deferred.
 */
export function batched({ limits, send }: Transport): Transport["send"] {
  const waiting: (() => void)[] = []
  let free = limits.concurrency

  async function turn(): Promise<void> {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }

  function done(): void {
    const next = waiting.shift()
    if (next) next()
    else free++
  }

  async function sendBatch(batch: readonly Outgoing[], abort: AbortSignal): Promise<Receipt[]> {
    await turn()
    try {
      return abort.aborted ? batch.map(() => deferred("stopped before it was handed over")) : await send(batch, abort)
    } finally {
      done()
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
