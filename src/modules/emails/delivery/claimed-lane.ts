import type { Transport } from "../../../mail/transport.ts"
import type { Email } from "../table.ts"
import type { WaitingLane } from "./waiting.ts"

/** The claimed messages of one lane that wait for a connection. */
interface ClaimedLane {
  readonly lane: WaitingLane["lane"]
  /** False when `take` would find nothing. */
  readonly mayHaveMail: boolean
  /**
   * Up to `count` messages; when none are held, up to `wanted` are claimed first. Empty when nothing may be sent now.
   */
  take(count: number, wanted: number): Promise<Email[]>
  /** Resolves when no claim is running. */
  settled(): Promise<void>
  /** Stops claiming; resolves to the claimed messages that were not taken. */
  close(): Promise<Email[]>
}

interface ClaimedLaneDeps {
  /** Claims up to so many messages of the lane in one unit. Never rejects. */
  readonly claim: (waiting: WaitingLane, count: number) => Promise<Email[]>
  /** Called when messages were claimed ahead. */
  readonly onClaimed: () => void
}

/**
 * How many messages are claimed before a connection is free for them, at most `most`: no more than keep the connections
 * busy during a commit, because after a power failure it is unknown whether claimed bulk mail was sent.
 */
export function aheadOf({ limits, repeatable }: Pick<Transport, "limits" | "repeatable">, most: number): number {
  const { concurrency, batch, perSecond = 0 } = limits
  if (batch > 1 || repeatable) return 0
  const ahead = Math.min(most, Math.max(16, 2 * concurrency))
  return perSecond > 0 ? Math.min(ahead, Math.ceil(perSecond)) : ahead
}

/**
 * Claims messages in batches, because each claim is a commit, and `ahead` messages in advance, so that no connection
 * waits for a commit. Held messages are in memory only: after a kill they are sent, because their hand-over had not
 * begun; after a power failure bulk mail is not, because that is unknown.
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

  /** One claim at a time, because the next one takes the ids that this one leaves. */
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
