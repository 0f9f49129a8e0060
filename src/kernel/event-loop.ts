/** Yields to the event loop. Work on many rows does so between its slices, so that requests are served meanwhile. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
