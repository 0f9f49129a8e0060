import { LRUCache } from "lru-cache"
import type { Engine } from "../../engine.ts"
import { DomainError } from "../../kernel/errors.ts"
import { reasonOf } from "../../kernel/log.ts"
import { compose } from "../../mail/compose.ts"
import { isShortOfTime, pauseForAllowance, RenderFault, TemplateFault } from "../../mail/render/index.ts"
import { deferred, type Outgoing, rejected } from "../../mail/transport.ts"
import type { Sending } from "../domains/index.ts"
import type { Project } from "../projects/index.ts"
import type { Drafts } from "./drafts.ts"
import type { Settled } from "./outcome.ts"
import type { Email } from "./table.ts"

export interface MessageDeps extends Pick<Engine, "clock" | "random" | "log"> {
  readonly drafts: Drafts
}

/** What messages are made with, as it is when they are claimed. */
export interface MakingOf {
  sending(email: Email): Promise<Sending>
  project(id: string): Promise<Project | undefined>
}

/** A message for its hand-over, or what becomes of one that cannot be made. */
export type Made = { readonly message: Outgoing } | { readonly receipt: Settled["receipt"] }

/** The most messages of which it is remembered when they were first stopped. */
const mostStopped = 50_000

/** Makes messages for their hand-over, which never rejects. */
export function createMessageMaker({ clock, random, log, drafts }: MessageDeps) {
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

  return async (email: Email, of: MakingOf): Promise<Made> => {
    try {
      const content = await drafts.contentOf(email)
      if (content === undefined) return { receipt: rejected("The content of this message is gone.") }
      const { signer, envelopeFrom } = await of.sending(email)
      const draft = await drafts.draft(email, content, await of.project(email.projectId))
      stoppedAt.delete(email.id)
      return { message: compose({ ...draft, envelopeFrom }, signer) }
    } catch (cause) {
      if (isShortOfTime(cause)) return { receipt: afterPause(email, reasonOf(cause)) }
      if (isRefusal(cause)) return { receipt: rejected(reasonOf(cause)) }
      log.error("A message could not be made", { email: email.id, reason: reasonOf(cause) })
      return { receipt: deferred("The message could not be made.") }
    }
  }
}

/** Whether the message itself is at fault, so that another attempt would end in the same way. */
const isRefusal = (cause: unknown): boolean =>
  (cause instanceof DomainError && cause.kind === "invalid") ||
  cause instanceof RenderFault ||
  cause instanceof TemplateFault
