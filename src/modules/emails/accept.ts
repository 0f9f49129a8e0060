import type { Engine } from "../../engine.ts"
import { domainOf } from "../../kernel/email-address.ts"
import { nilId } from "../../kernel/ids.ts"
import type { JsonObject } from "../../kernel/json.ts"
import { checkSize, compose, messageLimit } from "../../mail/compose.ts"
import type { Links } from "../../mail/links.ts"
import {
  defaultLimits,
  pickLocale,
  pickVariables,
  type Renderer,
  rendering,
  sharedTime,
  type Timed,
} from "../../mail/render/index.ts"
import type { Attachment } from "../../mail/transport.ts"
import type { Unit } from "../../store/writer.ts"
import type { Contact } from "../contacts/index.ts"
import { type MailType, variablesFor } from "../templates/index.ts"
import { hashOfContent, type NewContent, type SaveContent } from "./content.ts"
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
  /** What bodies have been judged for already. */
  readonly judged: ReadonlySet<string>
}

export const hashed = (
  content: NewContent,
  attached: readonly Attachment[],
  timed: Timed = sharedTime(defaultLimits.ms),
): HashedContent => ({ ...content, hash: hashOfContent(content), attached, timed, judged: new Set() })

interface Parts extends Pick<Engine, "ids" | "bus"> {
  readonly renderer: Renderer
  readonly links: Links
  readonly saveContent: SaveContent
  readonly wake: (lane: Lane) => void
}

/**
 * Messages on their way into the ledger. Each is rendered once, so that what cannot be rendered is refused while somebody
 * listens (contract A3.5), and the ledger shows the subject as sent.
 */
export function createMailAcceptor({ ids, bus, renderer, links, saveContent, wake }: Parts) {
  function prepare(mail: Mail, content: HashedContent, id: string) {
    const { contact, visible } = mail
    const locale = pickLocale(visible.locale, mail.language)
    const refusal = renderer.check(content)
    if (refusal) throw refusal
    const [subject, body] = [renderer.template(content.subject, "subject"), renderer.template(content.body, "html")]
    const variables = pickVariables([subject, body], variablesFor(contact, visible, locale)) as JsonObject
    const complete = withLinks(variables, [subject, body], links, { contactId: contact.id, id })
    const { timed } = content
    const line = rendering("subject", () => timed((limits) => subject.render(complete, { locale, limits })))
    const row = rowOf(mail, content, { id, locale, variables, subject: line })

    /** Throws when the body cannot be rendered, or makes the message too large. */
    function judge(at: number): void {
      const html = rendering("body", () => timed((limits) => body.render(complete, { locale, limits })))
      if (!mayBeTooLarge(html, content)) return
      const { headers, attached: attachments } = content
      const draft = draftOf({ ...row, createdAt: at }, { html, headers, attachments, listUnsubscribeUrl: null })
      rendering("body", () => timed(() => checkSize(compose(draft))))
    }
    return { row, judge }
  }

  /** What a body is rendered with, but for links, whose length is always the same. */
  const keyOf = ({ variables, locale }: NewEmail): string => Bun.hash(JSON.stringify([variables, locale])).toString(36)

  return {
    /** Puts a message into the ledger, in the unit of its cause; resolves to its id. */
    async accept(unit: Unit, mail: Mail, content: HashedContent): Promise<string> {
      const id = ids.next()
      const { row, judge } = prepare(mail, content, id)
      if (content.judged.size === 0 || !content.judged.has(keyOf(row))) judge(unit.now)
      await saveContent(unit, mail.projectId, content.hash, content)
      await insertEmail(unit, row)
      await bus.emit(unit, emailChanged, mail.projectId, { id, change: "created" })
      unit.afterCommit(() => wake(row.lane))
      return id
    },

    /** Judges a body as accepting it would, unless it has been judged, and stores nothing but the verdict in `judged`. */
    judge(mail: Mail, content: HashedContent, at: number, judged: Set<string>): void {
      const { row, judge } = prepare(mail, content, nilId)
      const key = keyOf(row)
      if (judged.has(key)) return
      judge(at)
      judged.add(key)
    },
  }
}

type Rendered = Pick<NewEmail, "id" | "locale" | "variables" | "subject">

function rowOf(mail: Mail, { hash }: HashedContent, rendered: Rendered): NewEmail & { readonly lane: Lane } {
  const { projectId, contact, toName, from, fromName, replyTo, type, sourceType, templateId, campaignId } = mail
  return {
    ...rendered,
    projectId,
    contactId: contact.id,
    templateId,
    campaignId,
    workflowExecutionId: mail.workflowExecutionId,
    contentHash: hash,
    to: contact.email,
    toName,
    from,
    fromName,
    replyTo,
    type,
    sourceType,
    status: "PENDING",
    messageId: `${rendered.id}@${domainOf(from)}`,
    lane: laneOf({ type, sourceType, campaignId }),
  }
}

/** Most messages need not be composed to know that they are small: no character takes more than nine octets, as HTML and as text. */
function mayBeTooLarge(html: string, { attached, headers }: HashedContent): boolean {
  const attachedBytes = attached.reduce((sum, { content }) => sum + content.byteLength, 0)
  const headerLength = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  return (html.length * 2 + headerLength) * 9 + attachedBytes * 1.5 > messageLimit / 2
}

export type MailAcceptor = ReturnType<typeof createMailAcceptor>
