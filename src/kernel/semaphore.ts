/** A limited number of permits, granted in the order of the requests. */
interface Semaphore {
  /**
   * Resolves to true once a permit is acquired, to false when the signal aborts first. Release each permit exactly
   * once.
   */
  acquire(abort?: AbortSignal): Promise<boolean>
  release(): void
}

export function createSemaphore(permits: number): Semaphore {
  const waiting = new Set<() => void>()
  let free = permits

  function wait(abort: AbortSignal | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      const onAbort = () => {
        waiting.delete(grant)
        resolve(false)
      }
      const grant = () => {
        waiting.delete(grant)
        abort?.removeEventListener("abort", onAbort)
        resolve(true)
      }
      waiting.add(grant)
      abort?.addEventListener("abort", onAbort, { once: true })
    })
  }

  return {
    async acquire(abort) {
      if (abort?.aborted) return false
      if (free === 0) return wait(abort)
      free--
      return true
    },
    release() {
      const [grant] = waiting
      if (grant === undefined) free++
      else grant()
    },
  }
}
