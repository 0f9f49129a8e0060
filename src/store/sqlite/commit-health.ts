import { type Clock, isWithin, second } from "../../kernel/clock.ts"

/** Tracks whether commits succeed. */
interface CommitHealth {
  committed(): void
  failed(): void
  /** Resolves when commits succeed; rejects while they fail. After a failure without a success it tries a commit. */
  check(): Promise<void>
}

/**
 * How long commits count as failing after a failure, in ms: on a nearly full disk small ones still succeed now and
 * then.
 */
const holdMs = 5 * second

export function createCommitHealth(clock: Clock, probe: () => Promise<unknown>): CommitHealth {
  let failedAt: number | undefined
  let hasSucceededSince = true
  return {
    committed() {
      hasSucceededSince = true
    },
    failed() {
      failedAt = clock.now()
      hasSucceededSince = false
    },
    async check() {
      if (failedAt === undefined) return
      if (isWithin(holdMs, clock.now(), failedAt)) throw new Error("A commit has failed.")
      if (!hasSucceededSince) await probe()
      failedAt = undefined
    },
  }
}
