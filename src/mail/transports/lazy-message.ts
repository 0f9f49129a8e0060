import type { SigningOptions } from "../dkim.ts"
import type { LinkKeys } from "../links.ts"
import type { OwnSource, SharedSource } from "../message-source.ts"
import type { Outgoing } from "../transport.ts"

/** The input that several messages share, by which another thread can compose them: one object for all of them. */
export interface SharedInput {
  readonly source: SharedSource
  /** Absent for messages that are not signed. */
  readonly signing?: Pick<SigningOptions, "domain" | "keys">
  readonly links: LinkKeys
}

/** Everything that one message is composed from. */
export interface MessageInput {
  readonly shared: SharedInput
  readonly own: OwnSource
  /** The time of the signature, ms. */
  readonly signedAt: number
}

/** A message that is composed only when it is handed over: by the thread that hands it over, or on this thread. */
export interface LazyMessage extends Outgoing {
  readonly input: MessageInput
  /** Composes it on this thread. Resolves to undefined when that fails, which `compose` has then recorded itself. */
  compose(): Promise<Outgoing | undefined>
  /** Whether `compose` has failed: the receipt of the message then says nothing about the transport. */
  readonly isLost: boolean
  /** Stores the URLs of tracked links by their keys. Must resolve before the hand-over begins. */
  saveLinks(targets: ReadonlyMap<string, string>): Promise<void>
}

export const isLazy = (message: Outgoing): message is LazyMessage => "input" in message

/** Properties that exist only once the message is composed throw when they are read. */
export function lazyMessage(
  input: MessageInput,
  rest: Pick<LazyMessage, "compose" | "saveLinks" | "begin" | "retract">,
): LazyMessage {
  const { projectId, stream } = input.shared.source
  const { id, envelopeFrom, from, to, subject, messageId } = input.own
  let isLost = false
  return {
    ...{ id, projectId, stream, from, to, subject, messageId, input },
    envelope: { from: envelopeFrom, to: to.address },
    /** A custom Reply-To header may replace that of the row. */
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
    async compose() {
      const composed = await rest.compose()
      isLost = composed === undefined
      return composed
    },
    get isLost() {
      return isLost
    },
  }
}

function notYet(): never {
  throw new Error("This message is not composed yet.")
}
