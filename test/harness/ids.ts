import type { Ids } from "../../src/kernel/ids.ts"

/** Sequential ids: valid UUIDv7 form, in order, the same in every run. */
export function sequentialIds(): Ids {
  let last = 0
  return {
    next() {
      last++
      return `0199c0de-0000-7000-8000-${last.toString(16).padStart(12, "0")}`
    },
  }
}
