import type { Transport } from "../../mail/transport.ts"
import type { Email } from "./table.ts"
import type { WaitingLane } from "./waiting.ts"

/** The claimed messages of one lane that wait for a connection. */
export interface ClaimedLane {
  readonly lane: WaitingLane["lane"]
  /** False when `take` would find nothing. */
  readonly mayHaveMail: boolean
  /**
   * Up to `count` messages; when none are held, up to `wanted` are claimed first. Empty when nothing may be sent now.
   */
  take(count: number, wanted: number): Promise<Email[]>
  /** Resolves when no claim is running. */
  settled(): Promise<void>
  /** Claims no more; resolves to the messages that no hand-over will take. */
  close(): Promise<Email[]>
}

export interface ClaimedLaneDeps {
  /** Claims up to so many messages of the lane in one unit. Never rejects. */
  readonly claim: (waiting: WaitingLane, count: number) => Promise<Email[]>
  /** Called when messages were claimed ahead. */
  readonly onClaimed: () => void
}

/**
 * How many messages are claimed before a connection is free for them, `most` at the most: as few as keep the connections
 * busy during a commit, because after a stop of the machine nobody knows whether those of bulk mail were sent.
 */
export function aheadOf({ limits, repeatable }: Pick<Transport, "limits" | "repeatable">, most: number): number {
  const { concurrency, batch, perSecond = 0 } = limits
  if (batch > 1 || repeatable) return 0
  const ahead = Math.min(most, Math.max(16, 2 * concurrency))
  return perSecond > 0 ? Math.min(ahead, Math.ceil(perSecond)) : ahead
}

/**
 * Claims messages together, because each claim is a commit, and `ahead` messages before a connection is free for them, so
 * that no connection waits for a commit. What is held is in memory only: after a kill it is sent, because its hand-over had
 * not begun; after a stop of the machine bulk mail is not, because nobody knows that.
 */
export function createClaimedLane(
  waiting: WaitingLane,
  ahead: number,
  { claim, onClaimed }: ClaimedLaneDeps,
): ClaimedLane {
  const held: Email[] = []
  let claiming: Promise<void> | undefined
  let closed = false

  async function claimSome(count: number): Promise<void> {
    const emails = await claim(waiting, count)
    held.push(...emails)
    claiming = undefined
  }

  /** One claim at a time: the next ids are those that the last one has left. */
  async function claimMore(count: number): Promise<void> {
    if (closed) return
    claiming ??= claimSome(count)
    await claiming
  }

  return {
    lane: waiting.lane,
    get mayHaveMail() {
      return held.length > 0 || claiming !== undefined || waiting.mayHaveMail
    },
    async take(count, wanted) {
      if (held.length === 0) await claimMore(Math.max(wanted, ahead))
      const taken = held.splice(0, count)
      if (taken.length > 0 && held.length < ahead / 2) void claimMore(ahead).then(onClaimed)
      return taken
    },
    async settled() {
      await claiming
    },
    async close() {
      closed = true
      await claiming
      return held.splice(0)
    },
  }
}
