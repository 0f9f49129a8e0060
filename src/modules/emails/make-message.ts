import { LRUCache } from "lru-cache"
import type { Engine } from "../../engine.ts"
import { domainOf } from "../../kernel/email-address.ts"
import { DomainError } from "../../kernel/errors.ts"
import { nilId } from "../../kernel/ids.ts"
import { reasonOf } from "../../kernel/log.ts"
import { compose } from "../../mail/compose.ts"
import type { Links } from "../../mail/links.ts"
import { isLong, isShortOfTime, pauseForAllowance, RenderFault, TemplateFault } from "../../mail/render/index.ts"
import { deferred, type Outgoing, rejected } from "../../mail/transport.ts"
import type { MessageParts, SharedParts } from "../../mail/transports/unmade.ts"
import type { Sending } from "../domains/index.ts"
import type { Project } from "../projects/index.ts"
import { type Drafts, isLarge } from "./drafts.ts"
import type { Settled } from "./outcome.ts"
import { ownSourceOf, sharedKeyOf, sharedSourceOf } from "./source-of.ts"
import type { Content, Email } from "./table.ts"

export interface MessageDeps extends Pick<Engine, "clock" | "random" | "log"> {
  readonly drafts: Drafts
  readonly links: Pick<Links, "keys">
}

/** What messages are made with, as it is when they are claimed. */
export interface MakingOf {
  sending(email: Email): Promise<Sending>
  project(id: string): Promise<Project | undefined>
  /** Kept here for the messages that are claimed together; undefined for those that a thread cannot make. */
  readonly shared: Map<string, SharedParts | undefined>
}

/** A message for its hand-over, or what becomes of one that cannot be made. */
export type Made = { readonly message: Outgoing } | { readonly receipt: Settled["receipt"] }

/** The most messages of which it is remembered when they were first stopped. */
const mostStopped = 50_000

/** Makes messages for their hand-over. Neither function rejects. */
export function createMessageMaker({ clock, random, log, drafts, links }: MessageDeps) {
  /**
   * When the rendering of a message was first stopped since it last succeeded: the message may be older by days, in which the
   * server was off or its sending paused. In memory: after a restart it may wait for as long again. Limited by size, because
   * `max` would take its memory at once.
   */
  const stoppedAt = new LRUCache<string, number>({ maxSize: mostStopped, sizeCalculation: () => 1 })

  /** The content can be rendered later only. */
  function afterPause({ id, createdAt }: Email, reason: string): Settled["receipt"] {
    const now = clock.now()
    const since = stoppedAt.get(id) ?? now
    stoppedAt.set(id, since)
    const pauseMs = pauseForAllowance(now - createdAt, random(), now - since)
    return pauseMs === undefined ? rejected(reason) : { outcome: "postponed", reason, dueAt: now + pauseMs }
  }

  async function make(email: Email, of: MakingOf): Promise<Made> {
    try {
      const content = await drafts.contentOf(email)
      if (content === undefined) return { receipt: rejected("The content of this message is gone.") }
      const { signer, envelopeFrom } = await of.sending(email)
      const shared = sharedSourceOf(email, content, await of.project(email.projectId))
      const draft = await drafts.draft({ shared, own: ownSourceOf(email, content, envelopeFrom) }, content)
      stoppedAt.delete(email.id)
      return { message: compose(draft, signer) }
    } catch (cause) {
      if (isShortOfTime(cause)) return { receipt: afterPause(email, reasonOf(cause)) }
      if (isRefusal(cause)) return { receipt: rejected(reasonOf(cause)) }
      log.error("A message could not be made", { email: email.id, reason: reasonOf(cause) })
      return { receipt: deferred("The message could not be made.") }
    }
  }

  async function readParts(email: Email, of: MakingOf): Promise<MessageParts | undefined> {
    const content = await drafts.contentOf(email)
    if (content === undefined || stoppedAt.has(email.id)) return undefined
    const { signer, envelopeFrom } = await of.sending(email)
    const key = `${sharedKeyOf(email)} ${domainOf(email.from)}`
    if (!of.shared.has(key)) {
      const source = sharedSourceOf(email, content, await of.project(email.projectId))
      const signing = signer && { signing: { domain: signer.options.domain, keys: signer.options.keys } }
      of.shared.set(key, isForThread(email, content) ? { source, ...signing, links: links.keys() } : undefined)
    }
    const shared = of.shared.get(key)
    const own = ownSourceOf(email, content, envelopeFrom)
    return shared && { shared, own, signedAt: signer?.options.at ?? email.createdAt }
  }

  return {
    make,

    /** What a thread can make the message from; undefined when it is to be made here. */
    partsOf: (email: Email, of: MakingOf): Promise<MessageParts | undefined> =>
      // Making it here tells what is wrong.
      readParts(email, of).catch(() => undefined),
  }
}

/** What takes long has time limits here, and attachments are cached here. */
const isForThread = ({ projectId }: Email, content: Content): boolean =>
  projectId !== nilId &&
  content.attachments.length === 0 &&
  !isLarge(content) &&
  (content.literal || ![content.body, content.text ?? ""].some(isLong))

/** Whether the message itself is at fault, so that another attempt would end in the same way. */
const isRefusal = (cause: unknown): boolean =>
  (cause instanceof DomainError && cause.kind === "invalid") ||
  cause instanceof RenderFault ||
  cause instanceof TemplateFault
