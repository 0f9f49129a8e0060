import type { ReadThreads } from "../../src/store/sqlite/read-pool.ts"

const resting: Worker[] = []

/**
 * The apps of a test process use the same threads for their reads, one after the other, because starting one takes as long
 * as starting an app.
 */
export const readThreads: ReadThreads = {
  start: () => resting.pop() ?? new Worker(new URL("read-thread.ts", import.meta.url).href, { ref: false }),
  end: (thread) => {
    resting.push(thread)
  },
}
