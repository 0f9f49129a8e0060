/** Counts the bytes that many clients together have on their way in, so that they cannot exhaust the memory. */
export interface MemoryBudget {
  /** False when the limit would be passed. */
  take(bytes: number): boolean
  release(bytes: number): void
}

export function memoryBudget(limit: number): MemoryBudget {
  let used = 0
  return {
    take(bytes) {
      if (used + bytes > limit) return false
      used += bytes
      return true
    },
    release(bytes) {
      used -= bytes
    },
  }
}
