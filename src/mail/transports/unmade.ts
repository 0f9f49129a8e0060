import type { SigningOptions } from "../dkim.ts"
import type { LinkKeys } from "../links.ts"
import type { OwnSource, SharedSource } from "../message-source.ts"
import type { Outgoing } from "../transport.ts"

/** What another thread makes messages from; the same object for all that share it. */
export interface SharedParts {
  readonly source: SharedSource
  /** Absent for messages that are not signed. */
  readonly signing?: Pick<SigningOptions, "domain" | "keys">
  readonly links: LinkKeys
}

/** The parts of one message. */
export interface MessageParts {
  readonly shared: SharedParts
  readonly own: OwnSource
  /** The time of the signature, ms. */
  readonly signedAt: number
}

/** A message that is made when it is handed over: by the thread that does that, from its parts, or here. */
export interface Unmade extends Outgoing {
  readonly parts: MessageParts
  /** Makes it here. Resolves to undefined when it cannot be made, which is recorded: no receipt is needed. */
  make(): Promise<Outgoing | undefined>
  /** Whether `make` has found that it cannot be made: its receipt tells nothing of the transport then. */
  readonly isLost: boolean
  /** Stores the addresses of tracked links by their keys: before the message begins to leave. */
  saveLinks(targets: ReadonlyMap<string, string>): Promise<void>
}

export const isUnmade = (message: Outgoing): message is Unmade => "parts" in message

/** What it does not have yet throws when it is read. */
export function unmade(parts: MessageParts, rest: Pick<Unmade, "make" | "saveLinks" | "begin" | "retract">): Unmade {
  const { projectId, stream } = parts.shared.source
  const { id, envelopeFrom, from, to, subject, messageId } = parts.own
  let isLost = false
  return {
    ...{ id, projectId, stream, from, to, subject, messageId, parts },
    envelope: { from: envelopeFrom, to: to.address },
    /** The headers may have another one. */
    get replyTo() {
      return notYet()
    },
    get html() {
      return notYet()
    },
    get text() {
      return notYet()
    },
    get headers() {
      return notYet()
    },
    get attachments() {
      return notYet()
    },
    mime: notYet,
    bytes: async () => notYet(),
    ...rest,
    async make() {
      const made = await rest.make()
      isLost = made === undefined
      return made
    },
    get isLost() {
      return isLost
    },
  }
}

function notYet(): never {
  throw new Error("This message is not made yet.")
}
