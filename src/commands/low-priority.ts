import { readdirSync } from "node:fs"
import { getPriority, setPriority } from "node:os"

/**
 * A tenth of the processor beside a server that wants all of it. With the lowest, 19, it would be a seventieth, and the
 * log grows for as long as a backup takes.
 */
const low = 10

/**
 * Lets a server on this machine go first, for the processor and, where the scheduler of the disk knows priorities, for the
 * disk. Linux has a priority for each thread, which those that it starts inherit, and the threads that compress and write
 * are there already.
 */
export function yieldToOthers(): void {
  const priority = Math.max(low, getPriority())
  attempt(() => setPriority(priority))
  attempt(() => {
    for (const thread of readdirSync("/proc/self/task")) attempt(() => setPriority(Number(thread), priority))
  })
}

/** A sandbox of the service manager may forbid it, and other systems have no such folder. */
function attempt(work: () => void): void {
  try {
    work()
  } catch {}
}
