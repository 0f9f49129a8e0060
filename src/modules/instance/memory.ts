import { type Clock, second } from "../../kernel/clock.ts"
import type { Store } from "../../store/store.ts"

/** How long the process must be idle, in ms, that is, without commits: every request is written to the request log. */
const quietMs = 10 * second
/** Growth since the last release, in bytes, below which memory is not released: a collection takes 20 ms. */
const worthwhile = 8 * 1_048_576

export interface Memory {
  /** The resident memory of the process in bytes. */
  resident(): number
  /** Collects garbage, and compiled code that can be compiled again. */
  collect(): void
}

const processMemory: Memory = {
  resident: () => process.memoryUsage.rss(),
  collect: () => {
    Bun.gc(true)
    Bun.shrink()
  },
}

/** Releases memory once the process has been idle. Returns a function to be called every few seconds. */
export function createMemoryReturn(
  { store, clock }: { readonly store: Pick<Store, "changes" | "releaseMemory">; readonly clock: Pick<Clock, "now"> },
  memory: Memory = processMemory,
): () => void {
  let seen: number | undefined
  let quietSince = 0
  let isDone = false
  let left = 0

  return () => {
    const now = clock.now()
    const changes = store.changes()
    // In both directions, for a clock may be set back.
    if (changes !== seen || now < quietSince) {
      seen = changes
      quietSince = now
      isDone = false
    }
    if (isDone || now - quietSince < quietMs) return
    isDone = true
    if (memory.resident() < left + worthwhile) return
    store.releaseMemory()
    memory.collect()
    left = memory.resident()
  }
}
