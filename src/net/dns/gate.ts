/** Lets a limited number in at once, in the order they came. */
export interface Gate {
  /** Resolves with true when let in, with false when the signal aborted first. Who was let in must `leave`. */
  enter(signal: AbortSignal): Promise<boolean>
  leave(): void
}

export function createGate(places: number): Gate {
  const waiting = new Set<() => void>()
  let inside = 0

  return {
    async enter(signal) {
      if (signal.aborted) return false
      if (inside < places) {
        inside++
        return true
      }
      return new Promise((resolve) => {
        const giveUp = () => {
          waiting.delete(letIn)
          resolve(false)
        }
        const letIn = () => {
          signal.removeEventListener("abort", giveUp)
          resolve(true)
        }
        waiting.add(letIn)
        signal.addEventListener("abort", giveUp, { once: true })
      })
    },
    leave() {
      const [next] = waiting
      if (next === undefined) inside--
      else {
        waiting.delete(next)
        next()
      }
    },
  }
}
