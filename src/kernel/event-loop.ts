/** Yields to the event loop. Work on many rows does so between its slices, so that requests are served meanwhile. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

let lastTurn: Promise<void> = Promise.resolve()

/**
 * Resolves in a turn of the event loop in which nothing else begins that waits for this. Work on one large text or message
 * waits for it, so that a request waits for one of them at most and not for all that have come.
 */
export function turnOfItsOwn(): Promise<void> {
  lastTurn = lastTurn.then(yieldToEventLoop)
  return lastTurn
}
