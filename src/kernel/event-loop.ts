/** Yields to the event loop. Work on many rows does so between its slices, so that requests are served meanwhile. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

let lastTurn: Promise<void> = Promise.resolve()

/**
 * Grants each caller a turn of the event loop of its own. Work on a large text or message awaits it first, so that
 * other requests wait for one such piece of work at a time, not for all of them.
 */
export function turnOfItsOwn(): Promise<void> {
  lastTurn = lastTurn.then(yieldToEventLoop)
  return lastTurn
}
