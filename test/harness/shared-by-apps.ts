import type { Overrides } from "../../src/app.ts"
import type { Memory } from "../../src/modules/instance/index.ts"
import type { ReadThreads } from "../../src/store/sqlite/read-pool.ts"

const resting: Worker[] = []

/**
 * The apps of a test process use the same threads for their reads, one after the other, because starting one takes as long
 * as starting an app.
 */
const readThreads: ReadThreads = {
  start: () => resting.pop() ?? new Worker(new URL("read-thread.ts", import.meta.url).href, { ref: false }),
  end: (thread) => {
    resting.push(thread)
  },
}

/** Test apps give no memory back when they are quiet, because the next one needs it. */
const memory: Memory = { resident: () => 0, collect: () => {} }

/** What all apps of a test process share. */
export const sharedByApps = { readThreads, memory } satisfies Overrides
