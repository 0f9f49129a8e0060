import { reasonOf } from "../../kernel/log.ts"
import { once } from "../../kernel/once.ts"
import type { Outgoing, Transport } from "../../mail/transport.ts"
import { type MessageParts, unmade } from "../../mail/transports/unmade.ts"
import type { Sending } from "../domains/index.ts"
import type { Projects } from "../projects/index.ts"
import { createMessageMaker, type MakingOf, type MessageDeps } from "./make-message.ts"
import type { Settled } from "./outcome.ts"
import { lanes } from "./rules.ts"
import type { Email } from "./table.ts"

export interface PreparerDeps extends MessageDeps {
  /** What messages leave with now, their signers and envelope senders, reading each domain once. */
  readonly sendings: () => (email: Email) => Promise<Sending>
  readonly projects: Pick<Projects, "find">
}

/** A message for its hand-over, or what becomes of it. */
export interface Prepared {
  readonly email: Email
  readonly message?: Outgoing
  readonly receipt?: Settled["receipt"]
}

type Beginning = Pick<Outgoing, "begin" | "retract">

/** Prepares claimed messages for one transport. Where it makes bulk mail itself, that is given to it unmade. */
export function createPreparer(
  transport: Pick<Transport, "takesUnmade">,
  { sendings, projects, ...deps }: PreparerDeps,
  beginningOf: (email: Email) => Beginning,
) {
  const { drafts, log } = deps
  const { make, partsOf } = createMessageMaker(deps)
  /** What becomes of messages that could not be made when the transport asked for them. */
  const notMade = new WeakMap<Email, Settled["receipt"]>()
  const readMaking = (): MakingOf => ({ sending: sendings(), project: once(projects.find), shared: new Map() })
  let making = readMaking()

  /** The sender is told as little of the reason as when the message is made here. */
  async function saveLinks({ id, projectId }: Email, targets: ReadonlyMap<string, string>): Promise<void> {
    try {
      await drafts.saveLinks(projectId, targets)
    } catch (cause) {
      log.error("The links of a message could not be stored", { email: id, reason: reasonOf(cause) })
      throw new Error("The message could not be made.")
    }
  }

  function unmadeOf(email: Email, parts: MessageParts, of: MakingOf): Outgoing {
    const beginning = beginningOf(email)
    return unmade(parts, {
      ...beginning,
      saveLinks: (targets) => saveLinks(email, targets),
      async make() {
        const made = await make(email, of)
        if ("message" in made) return { ...made.message, ...beginning }
        notMade.set(email, made.receipt)
        return undefined
      },
    })
  }

  return {
    /** Called with each claim, so that a message leaves with the keys and the project of its time. */
    renew(): void {
      making = readMaking()
    },

    /** Never rejects. */
    async prepare(email: Email): Promise<Prepared> {
      const of = making
      const parts = transport.takesUnmade && email.lane === lanes.bulk ? await partsOf(email, of) : undefined
      if (parts) return { email, message: unmadeOf(email, parts, of) }
      const made = await make(email, of)
      return "receipt" in made ? { email, ...made } : { email, message: { ...made.message, ...beginningOf(email) } }
    },

    /** What becomes of a message, with the receipt of its transport. */
    receiptOf: ({ email, receipt }: Settled): Settled["receipt"] => notMade.get(email) ?? receipt,
  }
}
