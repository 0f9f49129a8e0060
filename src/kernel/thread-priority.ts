import { setPriority } from "node:os"

/**
 * Lets the other threads of this process go first, which answer requests and hand over mail. Does nothing where the service
 * manager forbids it, nor outside Linux, where priorities are those of the whole process.
 * @param priority the nice value, 1 to 19
 */
export function lowerThreadPriority(priority: number): void {
  if (process.platform !== "linux") return
  try {
    setPriority(0, priority)
  } catch {}
}
