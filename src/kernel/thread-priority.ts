import { setPriority } from "node:os"

/**
 * Lowers the priority of the calling thread below those that answer requests and hand over mail. Does nothing where the
 * service manager forbids it, nor outside Linux, where a priority applies to the whole process.
 * @param priority the nice value, 1 to 19
 */
export function lowerThreadPriority(priority: number): void {
  if (process.platform !== "linux") return
  try {
    setPriority(0, priority)
  } catch {}
}
