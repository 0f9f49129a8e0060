import type { LiveChange } from "../../api/emails.ts"
import { openLive } from "../../api/emails.ts"

export type LiveState = "connecting" | "live" | "lost"

interface LiveFollower {
  state(state: LiveState): void
  /** Called when there is new activity, and when some may have been missed. */
  activity(): void
  /**
   * Called with the changes since the last call; `null` when some may have been missed. Not called again before it has
   * settled.
   */
  catchUp(changes: readonly LiveChange[] | null): Promise<void>
}

/** The pause between two batches, and the longest one before a lost stream is reopened. In ms. */
const batchPause = 300
const longestPause = 15_000
/** How often a hidden tab catches up, in ms. */
const unseenPause = 30_000

const isSeen = (): boolean => document.visibilityState === "visible"

/**
 * Follows a project's changes until the returned function is called. Bursts are batched; a lost stream is reopened
 * after growing pauses, or at once when the network is back. A hidden tab polls instead of keeping a stream: browsers
 * allow six connections per server for all tabs, so with six streams no other tab could load.
 */
export function followLive(projectId: string, follower: LiveFollower): () => void {
  let pending: LiveChange[] | null = []
  let working = false
  let ended = false
  let pause = 1000
  let closeStream = () => {}
  let timer: ReturnType<typeof setTimeout> | undefined

  const work = async () => {
    if (working || ended || pending?.length === 0) return
    working = true
    const changes = pending
    pending = []
    const caughtUp = await follower.catchUp(changes).then(
      () => true,
      () => false,
    )
    if (!caughtUp) pending = null
    setTimeout(
      () => {
        working = false
        void work()
      },
      caughtUp ? batchPause : longestPause,
    )
  }

  const ask = () => {
    pending = null
    void work()
    timer = setTimeout(ask, unseenPause)
  }

  const open = () => {
    clearTimeout(timer)
    timer = undefined
    closeStream = openLive(projectId, {
      activity: follower.activity,
      open() {
        pause = 1000
        follower.state("live")
        follower.activity()
        pending = null
        void work()
      },
      change(change) {
        pending?.push(change)
        void work()
      },
      lost() {
        follower.state("lost")
        timer = setTimeout(open, pause)
        pause = Math.min(pause * 2, longestPause)
      },
    })
  }

  const reopenNow = () => {
    if (timer !== undefined && isSeen()) open()
  }
  const rest = () => {
    clearTimeout(timer)
    closeStream()
    follower.state("connecting")
    timer = setTimeout(ask, unseenPause)
  }
  const look = () => (isSeen() ? reopenNow() : rest())
  follower.state("connecting")
  if (isSeen()) open()
  else rest()
  window.addEventListener("online", reopenNow)
  document.addEventListener("visibilitychange", look)
  return () => {
    ended = true
    clearTimeout(timer)
    closeStream()
    window.removeEventListener("online", reopenNow)
    document.removeEventListener("visibilitychange", look)
  }
}
