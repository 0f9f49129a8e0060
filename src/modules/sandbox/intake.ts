import type { Engine } from "../../engine.ts"
import { readEnvelopeHeaders } from "../../inbound/envelope-headers.ts"
import type { Received } from "../../inbound/types.ts"
import { parseAddress } from "../../kernel/email-address.ts"
import type { Unit } from "../../store/writer.ts"
import type { Contacts } from "../contacts/index.ts"
import { type Emails, emailChanged, insertEmail, lanes } from "../emails/index.ts"
import { failure, outcomeOf, reportsOf, type SimulatedOutcome } from "./simulated-outcome.ts"
import { saveRaw } from "./store.ts"

interface Parts extends Pick<Engine, "store" | "ids" | "bus"> {
  readonly contacts: Contacts
  readonly emails: Emails
}

/**
 * Takes a message from any program into the inbox of a project (contract A8.3, B9.6.2): one email per recipient, sent as
 * far as the program can tell, and at once delivered or whatever else its address asks for. The bytes are kept as they came; they are taken apart when somebody looks.
 * Resolves to the id of the first email.
 */
export const intakeAction = ({ store, ids, bus, contacts, emails }: Parts) => {
  async function contactOf(unit: Unit, projectId: string, address: string): Promise<string | null> {
    const email = parseAddress(address)
    if (email === undefined) return null
    const { contact } = await contacts.upsertIn(unit, projectId, { email, subscribedWhenNew: false })
    return contact.id
  }

  return (projectId: string, { raw, recipients, mailFrom }: Received<unknown>): Promise<string> => {
    const headers = readEnvelopeHeaders(raw)
    return store.write(projectId, async (unit) => {
      const emailIds: string[] = []
      for (const recipient of recipients) {
        const id = ids.next()
        const to = canonical(recipient)
        const outcome = outcomeOf(to)
        const { status, ...ended } = endOf(outcome, unit.now)
        const row = {
          id,
          projectId,
          contactId: await contactOf(unit, projectId, recipient),
          templateId: null,
          campaignId: null,
          workflowExecutionId: null,
          contentHash: null,
          variables: null,
          locale: "en",
          to,
          toName: headers.to.find(({ address }) => canonical(address) === to)?.name || null,
          from: canonical(headers.from?.address ?? mailFrom),
          fromName: headers.from?.name || null,
          replyTo: headers.replyTo[0] ? canonical(headers.replyTo[0].address) : null,
          subject: headers.subject === "" ? "(no subject)" : headers.subject,
          type: "TRANSACTIONAL",
          sourceType: "TRANSACTIONAL",
          status,
          messageId: headers.messageId ?? `${id}@sandbox`,
          lane: lanes.transactional,
        } as const
        await insertEmail(unit, row, ended)
        if (status !== "FAILED") await emails.events.sent(unit, row)
        if (status === "DELIVERED") await emails.events.delivered(unit, row)
        else for (const report of reportsOf[outcome]) await emails.report(unit, id, report)
        await bus.emit(unit, emailChanged, projectId, { id, change: "created" })
        emailIds.push(id)
      }
      await saveRaw(unit, raw, emailIds)
      return emailIds[0] ?? ""
    })
  }
}

/** Programs also write to what is no address here, such as `root@localhost`: that is kept in lower case (contract A1.2.6). */
const canonical = (address: string): string => parseAddress(address) ?? address.toLowerCase()

/** Where a message is when it comes into the ledger; most are there in one step, the others get their reports. */
function endOf(outcome: SimulatedOutcome, now: number) {
  if (outcome === "fail") return { status: "FAILED", error: failure } as const
  if (outcome === "delivered") return { status: "DELIVERED", sentAt: now, deliveredAt: now } as const
  return { status: "SENT", sentAt: now } as const
}
