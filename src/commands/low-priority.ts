import { readdirSync } from "node:fs"
import { getPriority, setPriority } from "node:os"

/**
 * Gets a tenth of the processor beside a fully busy server. With the lowest priority, 19, it would be a seventieth, and
 * the log of the database grows for as long as a backup takes.
 */
const low = 10

/**
 * Lets a server on this machine go first, for the processor and, if the disk scheduler supports priorities, for the
 * disk. On Linux each thread has its own priority, which only threads that it starts later inherit, so the existing
 * threads that compress and write are set too.
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
