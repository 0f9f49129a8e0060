import type { Engine } from "../../engine.ts"
import { isAutomatic } from "../../inbound/automatic.ts"
import type { ParsedMessage } from "../../inbound/parse.ts"
import type { ParseMessage } from "../../inbound/parse-thread.ts"
import { recipientsIn } from "../../inbound/recipient.ts"
import { iso } from "../../kernel/clock.ts"
import { parseAddress } from "../../kernel/email-address.ts"
import type { JsonObject } from "../../kernel/json.ts"
import { textFromHtml } from "../../mail/html-text.ts"
import type { Unit } from "../../store/writer.ts"
import type { Contacts } from "../contacts/index.ts"
import {
  type Emails,
  emailChanged,
  emailReceived,
  inboundSource,
  insertEmail,
  lanes,
  newEmail,
} from "../emails/index.ts"
import type { RecordEvent } from "../events/index.ts"
import { saveOriginal } from "../originals/index.ts"
import { type ProviderVerdicts, saveReceived } from "../reports/index.ts"

interface IntakeDeps extends Pick<Engine, "store" | "ids" | "bus" | "clock"> {
  readonly contacts: Pick<Contacts, "upsertIn">
  readonly emails: Pick<Emails, "findReported">
  readonly record: RecordEvent
  readonly parse: ParseMessage
  /** For the Message-ID of a message without one. */
  readonly hostname: string
}

/** A received message, from another server or by a provider. */
interface Arrived {
  readonly raw: Uint8Array
  /** Empty for the null sender. */
  readonly mailFrom: string
  /** The key of a message that may be delivered repeatedly, but is stored only once for each recipient. */
  readonly key?: string
  /** The verdict on the sender, and the message as it is stored. */
  judged(): Promise<{ readonly verdicts: ProviderVerdicts; readonly original: Uint8Array }>
}

export interface InboxRecipient {
  readonly projectId: string
  readonly address: string
}

/** Resolves to the ids of the records, one for each recipient; none where the message was stored before. */
export type Intake = (message: Arrived, recipients: readonly InboxRecipient[]) => Promise<string[]>

/** The longest body in an event; the whole message is kept beside it. */
const longestBody = 100_000

/**
 * Stores mail to verified domains (contract B9.6.3): for each recipient a record and the event `email.received`, all in
 * one unit, and the message itself. Its author becomes a contact, unless the message is automatic: such an event has no
 * contact, so that nothing that could answer is triggered by it.
 */
export function createIntake({
  store,
  ids,
  bus,
  clock,
  contacts,
  emails,
  record,
  parse,
  hostname,
}: IntakeDeps): Intake {
  /**
   * Whether a workflow or a campaign of this server sent it: a workflow that answers it could answer itself in an
   * endless loop.
   */
  async function isOurs(messageId: string | null): Promise<boolean> {
    if (messageId === null) return false
    // SES has a Message-ID of its own, which begins with its id.
    const [providerId = ""] = messageId.split("@", 1)
    const email = await emails.findReported({ emailId: null, providerId, messageId })
    return email !== undefined && email.lane !== lanes.transactional
  }

  async function contactOf(unit: Unit, projectId: string, author: string | undefined): Promise<string | null> {
    if (author === undefined) return null
    return (await contacts.upsertIn(unit, projectId, { email: author, subscribedWhenNew: false })).contact.id
  }

  return async (message, recipients) => {
    const [first] = recipients
    if (first === undefined) return []
    const { raw, mailFrom, key } = message
    const startedAt = clock.now()
    const [{ verdicts, original }, parsed] = await Promise.all([message.judged(), parse(raw, first.projectId)])
    const author = parseAddress(parsed.from?.address ?? "")
    const isNobodys = isAutomatic(mailFrom, parsed.headers) || (await isOurs(parsed.messageId))
    const from = author ?? parsed.from?.address ?? mailFrom
    const subject = parsed.subject === "" ? "(no subject)" : parsed.subject
    const facts: JsonObject = {
      from,
      fromHeader: parsed.headers.find(({ name }) => name.toLowerCase() === "from")?.value ?? null,
      subject,
      ...bodyOf(parsed),
      spamVerdict: verdicts.spam,
      virusVerdict: verdicts.virus,
      spfVerdict: verdicts.spf,
      dkimVerdict: verdicts.dkim,
      dmarcVerdict: verdicts.dmarc,
      arcVerdict: verdicts.arc,
    }

    const named = recipientsIn(parsed)
    return store.write("instance", async (unit) => {
      const emailsOf = new Map<string, readonly [lead: string, ...others: string[]]>()
      for (const { projectId, address: to } of recipients) {
        if (key !== undefined && !(await saveReceived(unit, `${key} ${to}`))) continue
        const id = ids.next()
        const before = emailsOf.get(projectId)
        const contactId = await contactOf(unit, projectId, isNobodys ? undefined : author)
        const { name: toName, addressedBy } = named(to)
        const fields = {
          id,
          projectId,
          contactId,
          leadId: before?.[0] ?? null,
          addressedBy,
          contentHash: null,
          variables: null,
          locale: "en",
          to,
          toName,
          from,
          fromName: parsed.from?.name || null,
          replyTo: parsed.replyTo[0]?.address ?? null,
          subject,
          type: "TRANSACTIONAL",
          status: "RECEIVED",
          messageId: parsed.messageId ?? `${id}@${hostname}`,
        } as const
        await insertEmail(unit, newEmail(inboundSource, fields, unit.now))
        const processingTimeMillis = Math.max(0, unit.now - startedAt)
        const data: JsonObject = {
          messageId: fields.messageId,
          to,
          recipients: recipients.filter((other) => other.projectId === projectId).map(({ address }) => address),
          timestamp: iso(startedAt),
          ...facts,
          processingTimeMillis,
        }
        await record(unit, { projectId, contactId, emailId: id, name: "email.received", data })
        await bus.emit(unit, emailChanged, projectId, { id, change: "created" })
        emailsOf.set(projectId, before === undefined ? [id] : [...before, id])
      }
      for (const [projectId, emailIds] of emailsOf) {
        // Once for each project, because it is deleted with the emails of its project.
        await saveOriginal(unit, original, emailIds)
        await bus.emit(unit, emailReceived, projectId, { emailId: emailIds[0] })
      }
      return [...emailsOf.values()].flat()
    })
  }
}

function bodyOf({ text, html }: ParsedMessage): { hasContent: boolean; body: string } {
  const body = text ?? textFromHtml((html ?? "").slice(0, 2 * longestBody))
  if ((html ?? text ?? "").trim() === "") return { hasContent: false, body: "" }
  return { hasContent: true, body: body.slice(0, longestBody).toWellFormed() }
}
