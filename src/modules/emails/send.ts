import type { Engine } from "../../engine.ts"
import type { ProjectRef } from "../../http/auth.ts"
import type { Alongside } from "../../http/idempotency.ts"
import { type DomainError, fault, invalid, malformed } from "../../kernel/errors.ts"
import type { JsonObject } from "../../kernel/json.ts"
import type { Files } from "../../store/files.ts"
import type { Contact, Contacts } from "../contacts/index.ts"
import type { Domains } from "../domains/index.ts"
import type { Template, Templates } from "../templates/index.ts"
import { type AcceptMail, hashed } from "./accept.ts"
import type { StoredAttachment } from "./table.ts"

export interface Recipient {
  /** In canonical form. */
  readonly email: string
  readonly name: string | null
}

export interface IncomingAttachment {
  readonly filename: string
  readonly contentType: string
  readonly contentId: string | null
  readonly disposition: "attachment" | "inline"
  readonly content: Uint8Array
}

/** `POST /v1/send` once its shape is checked (contract A4.2); `undefined` where nothing was sent. */
export interface SendRequest {
  readonly to: readonly Recipient[]
  readonly subject?: string | undefined
  readonly body?: string | undefined
  readonly templateId?: string | undefined
  readonly from?: string | undefined
  readonly fromName?: string | undefined
  readonly replyTo?: string | undefined
  readonly subscribed?: boolean | undefined
  readonly data?: JsonObject | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly attachments: readonly IncomingAttachment[]
}

export interface Sent {
  readonly at: number
  readonly emails: readonly { contactId: string; address: string; emailId: string }[]
}

interface Parts extends Pick<Engine, "store"> {
  readonly contacts: Contacts
  readonly templates: Templates
  readonly domains: Domains
  readonly files: Files
  readonly accept: AcceptMail
}

/**
 * Sends a transactional mail to each recipient, in one unit: all of them are stored, or nothing is (contract A4.3).
 * When it resolves the mails survive a crash.
 */
export const sendAction =
  ({ store, contacts, templates, domains, files, accept }: Parts) =>
  async (project: ProjectRef, request: SendRequest, alongside?: Alongside): Promise<Sent> => {
    const template = request.templateId === undefined ? undefined : await templates.get(project.id, request.templateId)
    const { from, fromName, replyTo, headers } = senderOf(project, request, template)
    await domains.requireVerifiedSender(project.id, from)
    const attachments = await Promise.all(request.attachments.map((attachment) => keepAttachment(files, attachment)))
    const content = hashed(
      {
        subject: request.subject ?? template?.subject ?? "",
        body: request.body ?? template?.body ?? "",
        literal: false,
        headers,
        attachments,
      },
      request.attachments,
    )
    const type = template?.type ?? "TRANSACTIONAL"

    return store.write(async (unit) => {
      if (template) await templates.get(project.id, template.id, unit.db)
      const recipients: { contact: Contact; visible: JsonObject; toName: string | null }[] = []
      for (const { email, name } of request.to) {
        const { subscribed, data } = request
        const change = { email, subscribed, data, subscribedWhenNew: false }
        const { contact, visible } = await contacts.upsertIn(unit, project.id, change)
        if (type === "MARKETING" && !contact.subscribed) throw noMarketing(contact.email)
        recipients.push({ contact, visible, toName: name })
      }
      const emails: Sent["emails"][number][] = []
      for (const recipient of recipients) {
        const mail = {
          projectId: project.id,
          language: project.language,
          ...recipient,
          from,
          fromName,
          replyTo,
          type,
          sourceType: "TRANSACTIONAL",
          templateId: template?.id ?? null,
          campaignId: null,
          workflowExecutionId: null,
        } as const
        const { id: contactId, email: address } = recipient.contact
        emails.push({ contactId, address, emailId: await accept(unit, mail, content) })
      }
      if (alongside) await alongside(unit)
      return { at: unit.now, emails }
    })
  }

/** Contract A4.3.5. */
const noMarketing = (address: string): DomainError =>
  malformed(`${address} is not subscribed and gets no marketing mail.`, {
    suggestion: "Send subscribed: true when the person has agreed, or use a template of another type.",
  })

/** Request fields win over template fields one by one (contract A4.3.2); a blank name is none. */
function senderOf(project: ProjectRef, request: SendRequest, template: Template | undefined) {
  const from = request.from ?? template?.from
  if (from === undefined) throw invalid([fault("from", "required", "from is required.")])
  const isReplyTo = (name: string) => name.toLowerCase() === "reply-to"
  const asked = Object.entries(request.headers)
    .find(([name]) => isReplyTo(name))?.[1]
    .trim()
  const chosen = request.replyTo ?? template?.replyTo ?? undefined
  return {
    from,
    fromName: request.fromName?.trim() || template?.fromName?.trim() || project.name || null,
    replyTo: (chosen ?? asked) || null,
    // The header may be a list of mailboxes with names: where it decides, it stays as it was written.
    headers: Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => chosen === undefined || !isReplyTo(name)),
    ),
  }
}

async function keepAttachment(files: Files, attachment: IncomingAttachment): Promise<StoredAttachment> {
  const { filename, contentType, contentId, disposition, content } = attachment
  return { filename, contentType, contentId, disposition, size: content.byteLength, hash: await files.keep(content) }
}
