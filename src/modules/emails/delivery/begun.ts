import type { Clock } from "../../../kernel/clock.ts"
import type { Store } from "../../../store/store.ts"
import { createUnsyncedMarks, type Mark, readUnsyncedMarks, type UnsyncedMarks } from "../../../store/unsynced-marks.ts"
import { repeatsUnknown } from "../rules.ts"
import type { Email } from "../table.ts"

/**
 * Tracks which of the claimed bulk messages of this process have begun their hand-over. A claim stores durably that the
 * other side may have the message (`handOverAt`), before any connection gets it. Which of the claimed messages have
 * actually begun is kept here and in a file that is not synced, because a commit for each would be half of the cost of
 * a campaign. So after a kill the messages that had not begun are sent; after a power failure it is unknown for all
 * claimed ones.
 */
export interface Begun {
  /** When the hand-over of a message has begun, in ms; undefined when it has not. */
  timeOf(id: string): number | undefined
  /** Records that the hand-over begins. @throws when that cannot be recorded */
  add(id: string): void
  /** Records that the other side has accepted the message, until that is in the ledger. */
  accepted(id: string): void
  /** Reverts `begin`: the other side does not have the message. */
  retract(id: string): void
  /** Forgets the message: its outcome is in the ledger, or there is none to record. */
  end(id: string): void
  /**
   * Called in a unit that is about to end a claimed message. False when the unit must not, because the hand-over has
   * begun or another process holds the claim. Until `restore`, its hand-over begins only after a check in a unit.
   */
  withdraw(claimed: Pick<Email, "id" | "leaseOwner">): boolean
  isWithdrawn(id: string): boolean
  restore(id: string): void
  /**
   * The hand-over of a message whose claim has ended without a receipt, as far as it is known; messages that may be
   * sent twice are not tracked.
   */
  left(email: Email): HandOverState
  /**
   * Starts with an empty file, after the claims of the previous process have been resolved. @throws when its file
   * cannot be deleted
   */
  open(): void
  close(): void
}

/** `at`: when the hand-over began, as far as it is known. */
type HandOverState = { readonly is: "not begun" | "accepted" } | { readonly is: "unknown"; readonly at: number }

const marks = { begun: 1, accepted: 2 }

export function createBegun({ store, clock }: { store: Pick<Store, "folder" | "node">; clock: Clock }): Begun {
  const withdrawn = new Set<string>()
  /** Not before `open`, so never in a command beside the server. */
  let own: UnsyncedMarks | undefined
  /** The marks of the previous process, read on first use. */
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
        // If this fails, its outcome is unknown after a kill.
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
