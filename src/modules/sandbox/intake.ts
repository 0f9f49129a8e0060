import type { Engine } from "../../engine.ts"
import { canonicalRecipient, recipientsIn } from "../../inbound/recipient.ts"
import type { Received } from "../../inbound/types.ts"
import { parseAddress } from "../../kernel/email-address.ts"
import type { Unit } from "../../store/writer.ts"
import type { Contacts } from "../contacts/index.ts"
import { apiSource, type Emails, emailChanged, emailReceived, insertEmail, newEmail } from "../emails/index.ts"
import { saveOriginal } from "../originals/index.ts"
import type { Projects } from "../projects/index.ts"
import { failure, outcomeOf, reportsOf, type SimulatedOutcome } from "./simulated-outcome.ts"

interface IntakeDeps extends Pick<Engine, "store" | "ids" | "bus"> {
  readonly contacts: Contacts
  readonly emails: Emails
  readonly projects: Pick<Projects, "find">
}

/**
 * Takes a message from any program into the inbox of a project (contract A8.3, B9.6.2): one email per recipient,
 * accepted like any other, and delivered at once or with the outcome that its address requests. The bytes are stored
 * unchanged and parsed when the message is read. Resolves to the id of the first email, or to undefined when the project is
 * disabled or gone: that is read in the unit, on a connection whose cache the last commit has not emptied.
 */
export const createIntake = ({ store, ids, bus, contacts, emails, projects }: IntakeDeps) => {
  async function contactOf(unit: Unit, projectId: string, address: string): Promise<string | null> {
    const email = parseAddress(address)
    if (email === undefined) return null
    const { contact } = await contacts.upsertIn(unit, projectId, { email, subscribedWhenNew: false })
    return contact.id
  }

  return async (projectId: string, { raw, recipients, mailFrom }: Received<unknown>): Promise<string | undefined> => {
    // Loaded with the first message, see `inbound/parse-thread.ts`.
    const { readEnvelopeHeaders } = await import("../../inbound/envelope-headers.ts")
    const headers = readEnvelopeHeaders(raw)
    const named = recipientsIn(headers)
    return store.write(projectId, async (unit) => {
      const project = await projects.find(projectId, unit.db)
      if (project === undefined || project.disabled) return undefined
      const emailIds: string[] = []
      for (const recipient of recipients) {
        const id = ids.next()
        const to = canonicalRecipient(recipient)
        const outcome = outcomeOf(to)
        const { name: toName, addressedBy } = named(recipient)
        const fields = {
          id,
          projectId,
          contactId: await contactOf(unit, projectId, recipient),
          leadId: emailIds[0] ?? null,
          addressedBy,
          contentHash: null,
          variables: null,
          locale: "en",
          to,
          toName,
          from: canonicalRecipient(headers.from?.address ?? mailFrom),
          fromName: headers.from?.name || null,
          replyTo: headers.replyTo[0] ? canonicalRecipient(headers.replyTo[0].address) : null,
          subject: headers.subject === "" ? "(no subject)" : headers.subject,
          type: "TRANSACTIONAL",
          messageId: headers.messageId ?? `${id}@sandbox`,
        } as const
        const email = newEmail(apiSource, { ...fields, ...stateAfter(outcome, unit.now) }, unit.now)
        await insertEmail(unit, email)
        if (email.status !== "FAILED") await emails.events.sent(unit, email)
        if (email.status === "DELIVERED") await emails.events.delivered(unit, email)
        else for (const report of reportsOf[outcome]) await emails.report(unit, id, report)
        await bus.emit(unit, emailChanged, projectId, { id, change: "created" })
        emailIds.push(id)
      }
      await saveOriginal(unit, raw, emailIds)
      const [first] = emailIds
      if (first !== undefined) await bus.emit(unit, emailReceived, projectId, { emailId: first })
      return first
    })
  }
}

/** The initial state of a message in the ledger: most are delivered at once; for the others, a report follows. */
function stateAfter(outcome: SimulatedOutcome, now: number) {
  if (outcome === "fail") return { status: "FAILED", error: failure } as const
  if (outcome === "delivered") return { status: "DELIVERED", sentAt: now, deliveredAt: now } as const
  return { status: "SENT", sentAt: now } as const
}
