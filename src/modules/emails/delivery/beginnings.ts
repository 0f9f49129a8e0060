import type { Outgoing } from "../../../mail/transport.ts"
import type { Store } from "../../../store/store.ts"
import { createUnitBatches } from "../../../store/unit-batches.ts"
import type { Unit } from "../../../store/writer.ts"
import { repeatsUnknown } from "../rules.ts"
import type { Email } from "../table.ts"
import type { Begun } from "./begun.ts"
import type { MailClaimer } from "./claim.ts"

interface BeginningDeps {
  readonly store: Pick<Store, "read">
  readonly begun: Begun
  readonly claimer: Pick<MailClaimer, "mayBegin" | "examine">
  readonly write: <T>(work: (unit: Unit) => Promise<T>) => Promise<T>
  /** The most messages of one unit. */
  readonly perUnit: number
  /** Called with a message that may not be handed over any more. */
  readonly onRefused: (email: Email) => void
}

/**
 * Checks a message again when its hand-over begins, because it may have been claimed a while before. Records the
 * beginning where an unknown outcome is final.
 */
export function createBeginnings({ store, begun, claimer, write, perUnit, onRefused }: BeginningDeps) {
  const examine = createUnitBatches(write, perUnit, claimer.examine)

  /** Without an await between the check and the record, because units that end claimed mail ask `begun`. */
  async function begin(email: Email): Promise<void> {
    const { id } = email
    while (begun.isWithdrawn(id) || !(await claimer.mayBegin(store.read, email)) || begun.isWithdrawn(id)) {
      if (await examine(email)) continue
      onRefused(email)
      throw new Error("The message is not to be handed over any more.")
    }
    if (!repeatsUnknown(email.lane)) begun.add(id)
  }

  return (email: Email): Pick<Outgoing, "begin" | "retract"> => ({
    begin: async () => {
      if (begun.timeOf(email.id) === undefined) await begin(email)
    },
    retract: async () => begun.retract(email.id),
  })
}
