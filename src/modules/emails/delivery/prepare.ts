import { reasonOf } from "../../../kernel/log.ts"
import { once } from "../../../kernel/once.ts"
import type { Outgoing, Transport } from "../../../mail/transport.ts"
import { lazyMessage, type MessageInput } from "../../../mail/transports/lazy-message.ts"
import type { SendingIdentity } from "../../domains/index.ts"
import type { Projects } from "../../projects/index.ts"
import type { Settled } from "../outcome/outcome.ts"
import { lanes } from "../rules.ts"
import type { Email } from "../table.ts"
import { type ClaimContext, type ComposerDeps, createComposer } from "./compose-message.ts"

export interface PreparerDeps extends ComposerDeps {
  /** Reads the signers and envelope senders of messages, each domain once. */
  readonly sendings: () => (email: Email) => Promise<SendingIdentity>
  readonly projects: Pick<Projects, "find">
}

/** A message ready for its hand-over, or the receipt of one that could not be composed. */
interface Prepared {
  readonly email: Email
  readonly message?: Outgoing
  readonly receipt?: Settled["receipt"]
}

type Beginning = Pick<Outgoing, "begin" | "retract">

/** Prepares claimed messages for one transport: composed, or as lazy messages where the transport takes those for bulk mail. */
export function createPreparer(
  transport: Pick<Transport, "takesLazy">,
  { sendings, projects, ...deps }: PreparerDeps,
  beginningOf: (email: Email) => Beginning,
) {
  const { drafts, log } = deps
  const { compose, inputOf } = createComposer(deps)
  /** The receipts of lazy messages that could not be composed when the transport asked for them. */
  const notComposed = new WeakMap<Email, Settled["receipt"]>()
  const newContext = (): ClaimContext => ({ sending: sendings(), project: once(projects.find), shared: new Map() })
  let current = newContext()

  /** The sender is told no more of the reason than when the message is composed here. */
  async function saveLinks({ id, projectId }: Email, targets: ReadonlyMap<string, string>): Promise<void> {
    try {
      await drafts.saveLinks(projectId, targets)
    } catch (cause) {
      log.error("The links of a message could not be stored", { email: id, reason: reasonOf(cause) })
      throw new Error("The message could not be composed.")
    }
  }

  function lazyOf(email: Email, input: MessageInput, context: ClaimContext): Outgoing {
    const beginning = beginningOf(email)
    return lazyMessage(input, {
      ...beginning,
      saveLinks: (targets) => saveLinks(email, targets),
      async compose() {
        const composed = await compose(email, context)
        if ("message" in composed) return { ...composed.message, ...beginning }
        notComposed.set(email, composed.receipt)
        return undefined
      },
    })
  }

  return {
    /** Forgets keys and projects. Called before each claim, so that its messages are composed with current ones. */
    renew(): void {
      current = newContext()
    },

    /** Never rejects. */
    async prepare(email: Email): Promise<Prepared> {
      const context = current
      const input = transport.takesLazy && email.lane === lanes.bulk ? await inputOf(email, context) : undefined
      if (input) return { email, message: lazyOf(email, input, context) }
      const composed = await compose(email, context)
      return "receipt" in composed
        ? { email, ...composed }
        : { email, message: { ...composed.message, ...beginningOf(email) } }
    },

    /** The receipt of a message: that of its transport, unless the message could not be composed. */
    receiptOf: ({ email, receipt }: Settled): Settled["receipt"] => notComposed.get(email) ?? receipt,
  }
}
