/** The result of the promise. Rejects with the signal's reason when that aborts before. */
export function orAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    else signal.addEventListener("abort", stop, { once: true })
    // Removed, because many promises may wait for one signal that never aborts.
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop))
  })
}

/** The result of the promise, or undefined when the signal aborts before. */
export const unlessAborted = <T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> =>
  orAbort(promise, signal).catch((cause) => {
    if (signal.aborted) return undefined
    throw cause
  })
