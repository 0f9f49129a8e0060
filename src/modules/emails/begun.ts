import type { Clock } from "../../kernel/clock.ts"
import type { Store } from "../../store/store.ts"
import { createUnsyncedMarks, type Mark, readUnsyncedMarks, type UnsyncedMarks } from "../../store/unsynced-marks.ts"
import { repeatsUnknown } from "./rules.ts"
import type { Email } from "./table.ts"

/**
 * Which of the bulk messages that this process has claimed have begun to leave. That the other side may have a message is on
 * disk since its claim (`handOverAt`), before any connection sees it. Which of the claimed messages it may have is kept
 * here and in a file without a sync, because a commit for each would be half of what a campaign costs: after a kill the
 * others are sent; after a stop of the machine nobody knows it of any.
 */
export interface Begun {
  /** When the hand-over of a message has begun, in ms; undefined when it has not. */
  timeOf(id: string): number | undefined
  /** Records that the hand-over begins. @throws when that cannot be recorded */
  add(id: string): void
  /** Records that the other side has accepted the message, until that is in the ledger. */
  accepted(id: string): void
  /** The other side does not have the message. */
  retract(id: string): void
  /** What became of the message is in the ledger, or there is nothing to record of it. */
  end(id: string): void
  /**
   * Called in a unit that is about to end a claimed message: false when it may not, because the hand-over has begun or
   * another process has claimed it. Until `restore` its hand-over begins only after it was looked at in a unit.
   */
  withdraw(claimed: Pick<Email, "id" | "leaseOwner">): boolean
  isWithdrawn(id: string): boolean
  restore(id: string): void
  /**
   * What is known of the hand-over of a message whose claim is over without a receipt; of one that may be repeated nothing is
   * kept.
   */
  left(email: Email): Left
  /** Begins anew, when what the process before has left is settled. @throws when its file cannot be deleted */
  open(): void
  close(): void
}

/** `at`: when the hand-over began, as far as it is known. */
export type Left = { readonly is: "not begun" | "accepted" } | { readonly is: "unknown"; readonly at: number }

const marks = { begun: 1, accepted: 2 }

export function createBegun({ store, clock }: { store: Pick<Store, "folder" | "node">; clock: Clock }): Begun {
  const withdrawn = new Set<string>()
  /** Not before `open`, so never in a command beside the server. */
  let own: UnsyncedMarks | undefined
  /** Of the process before, read when it is asked for. */
  let before: ReadonlyMap<string, Mark> | "lost" | undefined

  return {
    timeOf: (id) => own?.timeOf(id),
    add(id) {
      if (own === undefined) throw new Error("Nothing is handed over yet.")
      own.set(id, marks.begun, clock.now())
    },
    accepted(id) {
      try {
        if (own?.timeOf(id) !== undefined) own.set(id, marks.accepted, clock.now())
      } catch {
        // After a kill its outcome is unknown then.
      }
    },
    retract: (id) => own?.remove(id),
    end(id) {
      own?.remove(id)
      withdrawn.delete(id)
    },
    withdraw({ id, leaseOwner }) {
      if (own === undefined || own.timeOf(id) !== undefined || leaseOwner !== store.node) return false
      withdrawn.add(id)
      return true
    },
    isWithdrawn: (id) => withdrawn.has(id),
    restore: (id) => void withdrawn.delete(id),
    left({ id, lane, handOverAt, leaseOwner }) {
      if (repeatsUnknown(lane) || handOverAt === null) return { is: "not begun" }
      if (leaseOwner !== store.node || own !== undefined) return { is: "unknown", at: handOverAt }
      before ??= readUnsyncedMarks(store) ?? "lost"
      if (before === "lost") return { is: "unknown", at: handOverAt }
      const found = before.get(id)
      if (found?.mark === marks.begun) return { is: "unknown", at: found.at }
      return { is: found?.mark === marks.accepted ? "accepted" : "not begun" }
    },
    open() {
      own ??= createUnsyncedMarks(store)
    },
    close: () => own?.close(),
  }
}
