import type { Subscriber } from "../../../bus/bus.ts"
import { defineSignal, type Signal, type SignalKind } from "../../../bus/signal.ts"
import type { Engine } from "../../../engine.ts"
import { iso, second } from "../../../kernel/clock.ts"
import type { Unit } from "../../../store/writer.ts"
import { findEmail } from "../ledger.ts"
import type { MailEvents } from "../mail-events.ts"
import { emailChanged } from "../outcome.ts"
import { raise } from "../rules.ts"
import type { Email } from "../table.ts"
import { saveHit } from "./hit-store.ts"
import type { LinkStore } from "./links.ts"

/** Somebody asked for the image of a message, or followed the link of this key in it. */
export interface NotedHit {
  readonly emailId: string
  readonly link: string | null
  /** When it was answered, which is before it was stored. */
  readonly at: number
}

export const mailHit = defineSignal<NotedHit>("email.hit")

/** An open, or a click with where it led to. */
export type Hit = { readonly kind: "open" } | { readonly kind: "click"; readonly link: string }

const scanMs = 10 * second

/**
 * Whether a hit is a program's: the filters that servers have look into a message and follow its links while they take it
 * in, or in the seconds after. So a hit is theirs when it comes while the message is handed over, or less than ten seconds
 * after it was sent or, where that was told later, delivered. It counts all the same (contract A4.5.2), and is told apart in
 * `scannerOpens` and `scannerClicks`; some quick reader is taken for a program by this, hardly a program for a reader.
 */
export function isScanner({ status, sentAt, deliveredAt }: Email, at: number): boolean {
  if (sentAt === null && deliveredAt === null) return status === "SENDING"
  return at < Math.max(sentAt ?? 0, deliveredAt ?? 0) + scanMs
}

/** Applies a hit in the unit that brings it: counts, first times, status, event (contract A4.5, A7.3, B4.4). */
export function createHitRecorder(events: MailEvents) {
  return async (unit: Unit, email: Email, hit: Hit, at: number): Promise<void> => {
    const { kind } = hit
    const status = raise(email.status, kind === "open" ? "OPENED" : "CLICKED", email.error)
    await saveHit(unit, email.id, { kind, at, isScanner: isScanner(email, at), status })
    if (hit.kind === "open")
      await events.tell(unit, email, "email.open", {
        openedAt: iso(at),
        opens: email.opens + 1,
        isFirstOpen: email.openedAt === null,
      })
    else
      await events.tell(unit, email, "email.click", {
        link: hit.link,
        clickedAt: iso(at),
        clicks: email.clicks + 1,
        isFirstClick: email.clickedAt === null,
      })
  }
}

export type RecordHit = ReturnType<typeof createHitRecorder>

interface Parts extends Pick<Engine, "bus"> {
  readonly record: RecordHit
  readonly links: LinkStore
}

/** Counts the hits that were answered. What they were about may be gone by now; then nobody wants to know. */
export const createHitCounter = ({ bus, record, links }: Parts): Subscriber => ({
  name: "emails.hits",
  on: [mailHit as SignalKind<unknown>],
  async handle(signals, unit) {
    for (const { payload } of signals as readonly Signal<NotedHit>[]) {
      const email = await findEmail(unit.db, payload.emailId)
      const hit = email && (await hitOf(payload.link, links))
      if (email === undefined || hit === undefined) continue
      await record(unit, email, hit, payload.at)
      await bus.emit(unit, emailChanged, email.projectId, { id: email.id, change: "updated" })
    }
  },
})

async function hitOf(key: string | null, links: LinkStore): Promise<Hit | undefined> {
  if (key === null) return { kind: "open" }
  const link = await links.find(key)
  return link === undefined ? undefined : { kind: "click", link }
}
