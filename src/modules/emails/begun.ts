import type { Store } from "../../store/store.ts"
import { createUnsyncedMarks, readUnsyncedMarks, type UnsyncedMarks } from "../../store/unsynced-marks.ts"
import type { Email } from "./table.ts"

/**
 * Which of the bulk messages that this process has claimed have begun to leave. That the other side may have a message is on
 * disk since its claim (`handOverAt`), before any connection sees it. Which of the claimed messages it may have is kept
 * here and in a file without a sync, because a commit for each would be half of what a campaign costs: after a kill the
 * others are sent; after a stop of the machine nobody knows it of any.
 */
export interface Begun {
  has(id: string): boolean
  /** Records that the hand-over begins. @throws when that cannot be recorded */
  add(id: string): void
  /** Records that the other side has accepted the message, until that is in the ledger. */
  accepted(id: string): void
  /** The other side does not have it, or what became of it is in the ledger. */
  remove(id: string): void
  /**
   * Called in a unit that is about to end a claimed message: false when it may not, because the hand-over has begun or
   * another process has claimed it. Until `restore` its hand-over begins only after it was looked at in a unit.
   */
  withdraw(claimed: Pick<Email, "id" | "leaseOwner">): boolean
  isWithdrawn(id: string): boolean
  restore(id: string): void
  /** What is known of the hand-over of a message whose claim is over without a receipt. */
  left(email: Email): "not begun" | "unknown" | "accepted"
  /** Begins anew, when what the process before has left is settled. @throws when its file cannot be deleted */
  open(): void
  close(): void
}

const fileName = "begun"
const marks = { begun: 1, accepted: 2 }

export function createBegun(store: Pick<Store, "folder" | "node">): Begun {
  const withdrawn = new Set<string>()
  /** Not before `open`, so never in a command beside the server. */
  let own: UnsyncedMarks | undefined
  /** Of the process before, read when it is asked for. */
  let before: ReadonlyMap<string, number> | "lost" | undefined

  return {
    has: (id) => own?.has(id) === true,
    add(id) {
      if (own === undefined) throw new Error("Nothing is handed over yet.")
      own.set(id, marks.begun)
    },
    accepted(id) {
      try {
        if (own?.has(id)) own.set(id, marks.accepted)
      } catch {
        // After a kill its outcome is unknown then.
      }
    },
    remove(id) {
      own?.remove(id)
      withdrawn.delete(id)
    },
    withdraw({ id, leaseOwner }) {
      if (own === undefined || own.has(id) || leaseOwner !== store.node) return false
      withdrawn.add(id)
      return true
    },
    isWithdrawn: (id) => withdrawn.has(id),
    restore: (id) => void withdrawn.delete(id),
    left({ id, handOverAt, leaseOwner }) {
      if (handOverAt === null) return "not begun"
      if (leaseOwner !== store.node || own !== undefined) return "unknown"
      before ??= readUnsyncedMarks(store, fileName) ?? "lost"
      if (before === "lost" || before.get(id) === marks.begun) return "unknown"
      return before.get(id) === marks.accepted ? "accepted" : "not begun"
    },
    open() {
      own ??= createUnsyncedMarks(store, fileName)
    },
    close: () => own?.close(),
  }
}
