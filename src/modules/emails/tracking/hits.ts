import type { Subscriber } from "../../../bus/bus.ts"
import { defineSignal, type Signal, type SignalKind } from "../../../bus/signal.ts"
import type { Engine } from "../../../engine.ts"
import { iso, second } from "../../../kernel/clock.ts"
import type { Unit } from "../../../store/writer.ts"
import { changeEmail } from "../ledger.ts"
import type { MailEvents } from "../outcome/mail-events.ts"
import { emailChanged, emitEndOfWait } from "../outcome/outcome.ts"
import { raise } from "../rules.ts"
import type { Email } from "../table.ts"
import { saveHit } from "./hit-store.ts"
import type { LinkStore } from "./links.ts"

/** A request for the image of a message, or for a tracked link of it. */
export interface NotedHit {
  readonly emailId: string
  /** The key of the link; null for the image. */
  readonly link: string | null
  /** The time of the request. */
  readonly at: number
}

export const mailHit = defineSignal<NotedHit>("email.hit")

/** An open, or a click with its target. */
type Hit = { readonly kind: "open" } | { readonly kind: "click"; readonly link: string }

const scanMs = 10 * second

/**
 * Whether a hit was made by a program: filters of mail servers load the images of a message and follow its links while
 * they accept it, or in the seconds after. So a hit is a scanner's when it comes during the hand-over, or less than ten
 * seconds after the message was sent or, where that was reported later, delivered. Such a hit still counts (contract
 * A4.5.2), and is also counted in `scannerOpens` and `scannerClicks`. A very quick reader may be mistaken for a
 * scanner.
 */
function isScanner({ status, sentAt, deliveredAt }: Email, at: number): boolean {
  if (sentAt === null && deliveredAt === null) return status === "SENDING"
  return at < Math.max(sentAt ?? 0, deliveredAt ?? 0) + scanMs
}

/**
 * Whether the recipient may have the message, so that a hit proves that it was sent. Not during the hand-over, where
 * only the receipt counts, because a server may refuse a message after its filter has opened it; nor after a deferral,
 * unless the outcome of that hand-over is unknown.
 */
const mayHaveArrived = ({ status, handOverAt }: Email): boolean =>
  status !== "SENDING" && (status !== "PENDING" || handOverAt !== null)

/** Applies a hit in the caller's unit: counts, first times, status, event (contract A4.5, A7.3, B4.4). */
export function createHitRecorder(events: MailEvents) {
  /** False when the message has another status than the one it was read with. */
  return async (unit: Unit, email: Email, hit: Hit, at: number): Promise<boolean> => {
    const { kind } = hit
    const status = mayHaveArrived(email)
      ? raise(email.status, kind === "open" ? "OPENED" : "CLICKED", email.error)
      : email.status
    if (!(await saveHit(unit, email, { kind, at, isScanner: isScanner(email, at), status }))) return false
    await events.raised(unit, email, status)
    if (hit.kind === "open")
      await events.record(unit, email, "email.open", {
        openedAt: iso(at),
        opens: email.opens + 1,
        isFirstOpen: email.openedAt === null,
      })
    else
      await events.record(unit, email, "email.click", {
        link: hit.link,
        clickedAt: iso(at),
        clicks: email.clicks + 1,
        isFirstClick: email.clickedAt === null,
      })
    return true
  }
}

export type RecordHit = ReturnType<typeof createHitRecorder>

interface HitCountDeps extends Pick<Engine, "bus"> {
  readonly record: RecordHit
  readonly links: LinkStore
}

/** Counts a hit in the caller's unit; that of a deleted message or link is dropped. */
export const createHitCount =
  ({ bus, record, links }: HitCountDeps) =>
  async (unit: Unit, { emailId, link, at }: NotedHit): Promise<void> => {
    const hit = await hitOf(unit, link, links)
    if (hit === undefined) return
    const email = await changeEmail(unit, emailId, (email) => record(unit, email, hit, at))
    if (email === undefined) return
    await emitEndOfWait(bus, unit, email)
    await bus.emit(unit, emailChanged, email.projectId, { id: email.id, change: "updated" })
  }

export type CountHit = ReturnType<typeof createHitCount>

/** Counts hits that are stored as signals, which only older versions of the server did. */
export const createHitCounter = (count: CountHit): Subscriber => ({
  name: "emails.hits",
  on: [mailHit as SignalKind<unknown>],
  async handle(signals, unit) {
    for (const { payload } of signals as readonly Signal<NotedHit>[]) await count(unit, payload)
  },
})

async function hitOf({ db }: Unit, key: string | null, links: LinkStore): Promise<Hit | undefined> {
  if (key === null) return { kind: "open" }
  const link = await links.find(key, db)
  return link === undefined ? undefined : { kind: "click", link }
}
