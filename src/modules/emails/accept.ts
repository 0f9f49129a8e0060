import type { Engine } from "../../engine.ts"
import { domainOf } from "../../kernel/email-address.ts"
import type { JsonObject } from "../../kernel/json.ts"
import { checkSize, compose, messageLimit } from "../../mail/compose.ts"
import type { Links } from "../../mail/links.ts"
import { pickLocale, pickVariables, type Renderer, rendering, sharedTime, type Timed } from "../../mail/render/index.ts"
import type { Attachment } from "../../mail/transport.ts"
import type { Unit } from "../../store/writer.ts"
import type { Contact } from "../contacts/index.ts"
import { type MailType, variablesFor } from "../templates/index.ts"
import { hashOfContent, type KeepContent, type NewContent } from "./content.ts"
import { draftOf } from "./drafts.ts"
import { insertEmail, type NewEmail } from "./ledger.ts"
import { emailChanged } from "./outcome.ts"
import { type Lane, laneOf } from "./rules.ts"
import type { SourceType } from "./table.ts"
import { withLinks } from "./variables.ts"

/** One message to one contact, as a verb asks for it: everything known but its place in the ledger. */
export interface Mail {
  readonly projectId: string
  /** The language when the contact has none of its own. */
  readonly language: string
  readonly contact: Pick<Contact, "id" | "email" | "subscribed">
  /** Data of the contact as this message sees it. */
  readonly visible: JsonObject
  readonly toName: string | null
  readonly from: string
  readonly fromName: string | null
  readonly replyTo: string | null
  readonly type: MailType
  readonly sourceType: SourceType
  readonly templateId: string | null
  readonly campaignId: string | null
  readonly workflowExecutionId: string | null
}

/** Content with its hash, worked out once for all the recipients of a request. */
export interface HashedContent extends NewContent {
  readonly hash: string
  /** Its attachments with their bytes: the size of a message is judged before it is stored. */
  readonly attached: readonly Attachment[]
  /** What all the recipients together may take: they are rendered in one unit, and nobody else can write meanwhile. */
  readonly timed: Timed
}

export const hashed = (content: NewContent, attached: readonly Attachment[]): HashedContent => ({
  ...content,
  hash: hashOfContent(content),
  attached,
  timed: sharedTime(),
})

interface Parts extends Pick<Engine, "ids" | "bus"> {
  readonly renderer: Renderer
  readonly links: Links
  readonly keep: KeepContent
  readonly wake: (lane: Lane) => void
}

/**
 * Puts a message into the ledger, in the unit of its cause. It is rendered here once, so that what cannot be rendered
 * is refused while somebody listens (contract A3.5), and the ledger shows the subject as sent.
 */
export function mailAcceptor({ ids, bus, renderer, links, keep, wake }: Parts) {
  return async (unit: Unit, mail: Mail, content: HashedContent): Promise<string> => {
    const { projectId, contact, visible, type, sourceType, campaignId } = mail
    const id = ids.next()
    const locale = pickLocale(visible.locale, mail.language)
    const refusal = renderer.check(content)
    if (refusal) throw refusal
    const subject = renderer.template(content.subject, "subject")
    const body = renderer.template(content.body, "html")
    const everything = variablesFor(contact, visible, locale)
    const variables = pickVariables([subject, body], everything) as JsonObject
    const complete = withLinks(variables, [subject, body], links, { contactId: contact.id, id })
    const { timed } = content
    const rendered = rendering("subject", () => timed((limits) => subject.render(complete, { locale, limits })))
    const html = rendering("body", () => timed((limits) => body.render(complete, { locale, limits })))
    const lane = laneOf({ type, sourceType, campaignId })
    const email: NewEmail = {
      id,
      projectId,
      contactId: contact.id,
      templateId: mail.templateId,
      campaignId,
      workflowExecutionId: mail.workflowExecutionId,
      contentHash: content.hash,
      variables,
      locale,
      to: contact.email,
      toName: mail.toName,
      from: mail.from,
      fromName: mail.fromName,
      replyTo: mail.replyTo,
      subject: rendered,
      type,
      sourceType,
      status: "PENDING",
      messageId: `${id}@${domainOf(mail.from)}`,
      lane,
    }
    if (mayBeTooLarge(html, content)) {
      const { headers, attached: attachments } = content
      const draft = draftOf({ ...email, createdAt: unit.now }, { html, headers, attachments, listUnsubscribeUrl: null })
      rendering("body", () => timed(() => checkSize(compose(draft))))
    }
    await keep(unit, projectId, content.hash, content)
    await insertEmail(unit, email)
    await bus.emit(unit, emailChanged, projectId, { id, change: "created" })
    unit.afterCommit(() => wake(lane))
    return id
  }
}

/** Most messages need not be composed to know that they are small: no character takes more than nine octets, as HTML and as text. */
function mayBeTooLarge(html: string, { attached, headers }: HashedContent): boolean {
  const attachedBytes = attached.reduce((sum, { content }) => sum + content.byteLength, 0)
  const headerLength = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  return (html.length * 2 + headerLength) * 9 + attachedBytes * 1.5 > messageLimit / 2
}

export type AcceptMail = ReturnType<typeof mailAcceptor>
