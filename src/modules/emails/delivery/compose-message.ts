import { LRUCache } from "lru-cache"
import type { Engine } from "../../../engine.ts"
import { domainOf } from "../../../kernel/email-address.ts"
import { DomainError } from "../../../kernel/errors.ts"
import { nilId } from "../../../kernel/ids.ts"
import { reasonOf } from "../../../kernel/log.ts"
import { compose } from "../../../mail/compose.ts"
import type { Links } from "../../../mail/links.ts"
import { isLong, isShortOfTime, pauseForAllowance, RenderFault, TemplateFault } from "../../../mail/render/index.ts"
import { deferred, type Outgoing, rejected } from "../../../mail/transport.ts"
import type { MessageInput, SharedInput } from "../../../mail/transports/lazy-message.ts"
import type { SendingIdentity } from "../../domains/index.ts"
import type { Project } from "../../projects/index.ts"
import { type Drafts, isLarge } from "../content/drafts.ts"
import { ownSourceOf, sharedKeyOf, sharedSourceOf } from "../content/source-of.ts"
import type { Settled } from "../outcome/outcome.ts"
import type { Content, Email } from "../table.ts"

export interface ComposerDeps extends Pick<Engine, "clock" | "random" | "log"> {
  readonly drafts: Drafts
  readonly links: Pick<Links, "keys">
}

/** What messages of one claim are composed with, read at most once. */
export interface ClaimContext {
  sending(email: Email): Promise<SendingIdentity>
  project(id: string): Promise<Project | undefined>
  /** The shared input of the messages; undefined where a thread cannot compose them. */
  readonly shared: Map<string, SharedInput | undefined>
}

/** A composed message, or the receipt of one that cannot be composed. */
type Composition = { readonly message: Outgoing } | { readonly receipt: Settled["receipt"] }

/** The number of messages whose first stop is remembered. */
const mostStopped = 50_000

/** Composes messages for their hand-over. Neither function rejects. */
export function createComposer({ clock, random, log, drafts, links }: ComposerDeps) {
  /**
   * When the rendering of a message was first stopped. Not the age of the message, which may have waited for days while the
   * server was off or its sending paused. In memory: after a restart it may wait for as long again. Limited by size, because
   * `max` would allocate all of its memory at once.
   */
  const stoppedAt = new LRUCache<string, number>({ maxSize: mostStopped, sizeCalculation: () => 1 })

  /** For content that cannot be rendered now, because its project has used up its allowance. */
  function afterPause({ id, createdAt }: Email, reason: string): Settled["receipt"] {
    const now = clock.now()
    const since = stoppedAt.get(id) ?? now
    stoppedAt.set(id, since)
    const pauseMs = pauseForAllowance(now - createdAt, random(), now - since)
    return pauseMs === undefined ? rejected(reason) : { outcome: "postponed", reason, dueAt: now + pauseMs }
  }

  async function composeEmail(email: Email, context: ClaimContext): Promise<Composition> {
    try {
      const content = await drafts.contentOf(email)
      if (content === undefined) return { receipt: rejected("The content of this message is gone.") }
      const { signer, envelopeFrom } = await context.sending(email)
      const shared = sharedSourceOf(email, content, await context.project(email.projectId))
      const draft = await drafts.draft({ shared, own: ownSourceOf(email, content, envelopeFrom) }, content)
      stoppedAt.delete(email.id)
      return { message: compose(draft, signer) }
    } catch (cause) {
      if (isShortOfTime(cause)) return { receipt: afterPause(email, reasonOf(cause)) }
      if (isRefusal(cause)) return { receipt: rejected(reasonOf(cause)) }
      log.error("A message could not be composed", { email: email.id, reason: reasonOf(cause) })
      return { receipt: deferred("The message could not be composed.") }
    }
  }

  async function readInput(email: Email, context: ClaimContext): Promise<MessageInput | undefined> {
    const content = await drafts.contentOf(email)
    if (content === undefined || stoppedAt.has(email.id)) return undefined
    const { signer, envelopeFrom } = await context.sending(email)
    const key = `${sharedKeyOf(email)} ${domainOf(email.from)}`
    if (!context.shared.has(key)) {
      const source = sharedSourceOf(email, content, await context.project(email.projectId))
      const signing = signer && { signing: { domain: signer.options.domain, keys: signer.options.keys } }
      context.shared.set(key, isForThread(email, content) ? { source, ...signing, links: links.keys() } : undefined)
    }
    const shared = context.shared.get(key)
    const own = ownSourceOf(email, content, envelopeFrom)
    return shared && { shared, own, signedAt: signer?.options.at ?? email.createdAt }
  }

  return {
    compose: composeEmail,

    /** The input by which a thread can compose the message; undefined when it has to be composed here. */
    inputOf: (email: Email, context: ClaimContext): Promise<MessageInput | undefined> =>
      // The same failure occurs again, and is reported, when the message is composed here.
      readInput(email, context).catch(() => undefined),
  }
}

/** Content that takes long is composed on this side, which has time limits for it and caches attachments. */
const isForThread = ({ projectId }: Email, content: Content): boolean =>
  projectId !== nilId &&
  content.attachments.length === 0 &&
  !isLarge(content) &&
  (content.literal || ![content.body, content.text ?? ""].some(isLong))

/** Whether the message itself is at fault, so that another attempt would fail in the same way. */
const isRefusal = (cause: unknown): boolean =>
  (cause instanceof DomainError && cause.kind === "invalid") ||
  cause instanceof RenderFault ||
  cause instanceof TemplateFault
