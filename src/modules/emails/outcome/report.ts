import type { Engine } from "../../../engine.ts"
import { iso } from "../../../kernel/clock.ts"
import type { Unit } from "../../../store/writer.ts"
import type { Contacts } from "../../contacts/index.ts"
import { changeEmail, type Reported, saveReport } from "../ledger.ts"
import { raise } from "../rules.ts"
import type { Email } from "../table.ts"
import { saveUnsubscribed } from "../tracking/hit-store.ts"
import type { RecordHit } from "../tracking/hits.ts"
import type { MailEvents } from "./mail-events.ts"
import { emailChanged, emailReported, emitEndOfWait } from "./outcome.ts"

/** What a provider reports about a sent message (contract B9.2). */
export type Report =
  | { readonly kind: "delivery" }
  /** Permanent alone marks the message as bounced: after the others it may still arrive. */
  | { readonly kind: "bounce"; readonly bounceType: "Permanent" | "Transient" | "Undetermined" }
  | { readonly kind: "complaint" }
  | { readonly kind: "open" }
  | { readonly kind: "click"; readonly link: string }
  /** The recipient used the provider's own way to unsubscribe. */
  | { readonly kind: "unsubscribe" }

interface ReportDeps extends Pick<Engine, "bus"> {
  readonly contacts: Contacts
  readonly events: MailEvents
  readonly recordHit: RecordHit
}

/**
 * Applies a report in the unit that received it. Times are set once, the status only rises, and a repeated report has no
 * second effect; only transient bounces, opens and clicks count each time.
 */
export function createReport({ bus, contacts, events, recordHit }: ReportDeps) {
  /**
   * Only if the contact still has the address that the message was sent to: a workflow may have sent it to another
   * address (contract B5.4.2), and the contact's may have been corrected since. False when nothing changes.
   */
  async function unsubscribeAddressee(
    unit: Unit,
    email: Email,
    reason: "bounce" | "complaint" | "link",
  ): Promise<boolean> {
    const { projectId, contactId, to } = email
    const contact = contactId === null ? undefined : await contacts.find(unit.db, projectId, contactId)
    if (contact?.email !== to || !contact.subscribed) return false
    await contacts.setSubscribedIn(unit, projectId, contact.id, false, reason)
    return true
  }

  async function save(unit: Unit, email: Email, reported: Reported): Promise<boolean> {
    if (!(await saveReport(unit, email, reported))) return false
    await events.raised(unit, email, reported.status)
    return true
  }

  /** False when the message has another status than the one it was read with. */
  async function apply(unit: Unit, email: Email, report: Report): Promise<boolean> {
    const at = iso(unit.now)
    const statusAfter = (status: Parameters<typeof raise>[1]) => raise(email.status, status, email.error)
    switch (report.kind) {
      case "delivery": {
        if (email.deliveredAt !== null) return true
        // Hits during the hand-over have not raised the status.
        const reached = email.clickedAt !== null ? "CLICKED" : email.openedAt !== null ? "OPENED" : "DELIVERED"
        const reported = { deliveredAt: unit.now, status: statusAfter(reached) }
        if (!(await save(unit, email, reported))) return false
        await events.delivered(unit, email)
        return true
      }
      case "bounce": {
        const { bounceType } = report
        if (bounceType !== "Permanent") {
          await events.record(unit, email, "email.bounce", { bounceType, transientBounce: true })
          return true
        }
        if (email.bouncedAt !== null) return true
        const reported = { bouncedAt: unit.now, status: statusAfter("BOUNCED") }
        if (!(await save(unit, email, reported))) return false
        await events.record(unit, email, "email.bounce", { bounceType, bouncedAt: at })
        await unsubscribeAddressee(unit, email, "bounce")
        await bus.emit(unit, emailReported, email.projectId, { emailId: email.id, kind: "bounce" })
        return true
      }
      case "complaint": {
        if (email.complainedAt !== null) return true
        const reported = { complainedAt: unit.now, status: statusAfter("COMPLAINED") }
        if (!(await save(unit, email, reported))) return false
        await events.record(unit, email, "email.complaint", { complainedAt: at })
        await unsubscribeAddressee(unit, email, "complaint")
        await bus.emit(unit, emailReported, email.projectId, { emailId: email.id, kind: "complaint" })
        return true
      }
      case "open":
      case "click":
        return recordHit(unit, email, report, unit.now)
      case "unsubscribe":
        if (await unsubscribeAddressee(unit, email, "link")) await saveUnsubscribed(unit, email.id)
        return true
    }
  }

  return async (unit: Unit, emailId: string, report: Report): Promise<void> => {
    const email = await changeEmail(unit, emailId, (email) => apply(unit, email, report))
    if (email === undefined) return
    await emitEndOfWait(bus, unit, email)
    await bus.emit(unit, emailChanged, email.projectId, { id: email.id, change: "updated" })
  }
}
