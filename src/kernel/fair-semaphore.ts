/** A limited number of permits. Whoever waits for one takes turns with the others, however often they wait. */
export interface FairSemaphore {
  /** Resolves once a permit is acquired, which is released once. */
  acquire(who: string): Promise<void>
  release(): void
}

export function createFairSemaphore(permits: number): FairSemaphore {
  /** In the order of the turns. */
  const waiting = new Map<string, (() => void)[]>()
  let free = permits

  return {
    async acquire(who) {
      if (free === 0)
        return new Promise((resolve) => {
          const own = waiting.get(who)
          if (own) own.push(resolve)
          else waiting.set(who, [resolve])
        })
      free--
    },
    release() {
      for (const [who, own] of waiting) {
        const grant = own.shift()
        waiting.delete(who)
        if (own.length > 0) waiting.set(who, own)
        return grant?.()
      }
      free++
    },
  }
}
