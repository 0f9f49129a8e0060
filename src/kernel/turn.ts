/** Lets the event loop turn: what walks many rows takes a turn between its slices, so that others are served meanwhile. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
