import type { Engine } from "../../engine.ts"
import { iso } from "../../kernel/clock.ts"
import type { DeliveryEvent } from "../../mail/transport.ts"
import type { Unit } from "../../store/writer.ts"
import type { Contacts } from "../contacts/index.ts"
import { findEmail, saveReport } from "./ledger.ts"
import type { MailEvents } from "./mail-events.ts"
import { emailChanged } from "./outcome.ts"
import { raise } from "./rules.ts"
import type { Email } from "./table.ts"
import type { RecordHit } from "./tracking/hits.ts"

/** What a provider reports about a message after it left (contract B9.2). */
export type Report = DeliveryEvent

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
  async function unsubscribe(unit: Unit, email: Email, reason: "bounce" | "complaint"): Promise<void> {
    if (email.contactId !== null) await contacts.setSubscribedIn(unit, email.projectId, email.contactId, false, reason)
  }

  async function apply(unit: Unit, email: Email, report: Report): Promise<void> {
    const at = iso(unit.now)
    switch (report.kind) {
      case "delivery": {
        if (email.deliveredAt !== null) return
        await saveReport(unit, email.id, {
          deliveredAt: unit.now,
          status: raise(email.status, "DELIVERED", email.error),
        })
        return events.delivered(unit, email)
      }
      case "bounce": {
        const { bounceType } = report
        if (bounceType === "Transient") {
          await events.record(unit, email, "email.bounce", { bounceType, transientBounce: true })
          return
        }
        if (email.bouncedAt !== null) return
        await saveReport(unit, email.id, { bouncedAt: unit.now, status: raise(email.status, "BOUNCED", email.error) })
        await events.record(unit, email, "email.bounce", { bounceType, bouncedAt: at })
        return unsubscribe(unit, email, "bounce")
      }
      case "complaint": {
        if (email.complainedAt !== null) return
        await saveReport(unit, email.id, {
          complainedAt: unit.now,
          status: raise(email.status, "COMPLAINED", email.error),
        })
        await events.record(unit, email, "email.complaint", { complainedAt: at })
        return unsubscribe(unit, email, "complaint")
      }
      case "open":
      case "click":
        return recordHit(unit, email, report, unit.now)
    }
  }

  return async (unit: Unit, emailId: string, report: Report): Promise<void> => {
    const email = await findEmail(unit.db, emailId)
    if (email === undefined) return
    await apply(unit, email, report)
    await bus.emit(unit, emailChanged, email.projectId, { id: email.id, change: "updated" })
  }
}
