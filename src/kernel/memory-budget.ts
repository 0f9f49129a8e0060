/** Counts the bytes that all clients together are uploading, so that they cannot exhaust the memory. */
export interface MemoryBudget {
  /** False when this would exceed the limit. */
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
