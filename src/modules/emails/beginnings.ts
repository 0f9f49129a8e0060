import type { Outgoing } from "../../mail/transport.ts"
import { createUnitBatches } from "../../store/unit-batches.ts"
import type { Unit } from "../../store/writer.ts"
import type { MailClaimer } from "./claim.ts"
import { repeatsUnknown } from "./rules.ts"
import type { Email } from "./table.ts"

interface BeginningDeps {
  readonly claimer: Pick<MailClaimer, "begin" | "retract">
  readonly write: <T>(work: (unit: Unit) => Promise<T>) => Promise<T>
  /** The most messages of one unit. */
  readonly perUnit: number
  /** Called with a message that may not be handed over any more. */
  readonly onRefused: (email: Email) => void
}

/** Records that the hand-over of a message begins; only where an unknown outcome is final, because it costs a commit. */
export function createBeginnings({ claimer, write, perUnit, onRefused }: BeginningDeps) {
  const begin = createUnitBatches(write, perUnit, claimer.begin)
  const retract = createUnitBatches(write, perUnit, async (unit, emails: readonly Email[]) => {
    await claimer.retract(unit, emails)
    return []
  })

  return (email: Email): Pick<Outgoing, "begin" | "retract"> => {
    if (repeatsUnknown(email.lane)) return { begin: async () => {} }
    let begun: Promise<void> | undefined
    return {
      begin() {
        begun ??= begin(email).then((maySend) => {
          if (maySend) return
          onRefused(email)
          throw new Error("The message is not to be handed over any more.")
        })
        return begun
      },
      async retract() {
        if (begun === undefined) return
        const forget = () => {
          begun = undefined
        }
        // What cannot be recorded stays begun: after a crash the message is not sent again then.
        await retract(email).then(forget, () => {})
      },
    }
  }
}
