/** Lets the event loop turn: work on many rows does so between its slices, so that others are served meanwhile. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
