import { readdirSync } from "node:fs"
import { setPriority } from "node:os"

const lowest = 19

/**
 * Lets a server on this machine go first, for the processor and, where the scheduler of the disk knows priorities, for the
 * disk. Linux has a priority for each thread, which those that it starts inherit, and the threads that compress and write
 * are there already.
 */
export function yieldToOthers(): void {
  attempt(() => setPriority(lowest))
  attempt(() => {
    for (const thread of readdirSync("/proc/self/task")) attempt(() => setPriority(Number(thread), lowest))
  })
}

/** A sandbox of the service manager may forbid it, and other systems have no such folder. */
function attempt(work: () => void): void {
  try {
    work()
  } catch {}
}
