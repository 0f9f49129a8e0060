import type { Engine } from "../../../engine.ts"
import { nilId } from "../../../kernel/ids.ts"
import type { JsonObject } from "../../../kernel/json.ts"
import { checkSize, compose, messageLimit } from "../../../mail/compose.ts"
import { withLinks } from "../../../mail/link-variables.ts"
import type { Links } from "../../../mail/links.ts"
import {
  type CompiledContent,
  pickLocale,
  pickVariables,
  type Renderer,
  rendering,
  type Timed,
} from "../../../mail/render/index.ts"
import type { Attachment } from "../../../mail/transport.ts"
import type { Unit } from "../../../store/writer.ts"
import type { Contact } from "../../contacts/index.ts"
import { type MailType, variablesFor } from "../../templates/index.ts"
import { hashOfContent, type NewContent, type SaveContent } from "../content/content.ts"
import { draftOf } from "../content/source-of.ts"
import { insertEmail } from "../ledger.ts"
import { emailChanged } from "../outcome/outcome.ts"
import { type EmailSource, type Lane, laneOf } from "../rules.ts"
import type { Email } from "../table.ts"
import { newEmail } from "./new-email.ts"

/** One message to one contact, as requested by a caller. */
export interface Mail {
  readonly source: EmailSource
  readonly projectId: string
  /** The language when the contact has none of its own. */
  readonly language: string
  readonly contact: Pick<Contact, "id" | "email" | "subscribed">
  /** The contact's data as visible to this message. */
  readonly visible: JsonObject
  /** Of a workflow's execution. */
  readonly context?: JsonObject
  /** Where it goes instead of the contact's address. */
  readonly to?: string
  /** Why it is FAILED from the start and never sent. */
  readonly refusal?: string | undefined
  readonly toName: string | null
  readonly from: string
  readonly fromName: string | null
  readonly replyTo: string | null
  readonly type: MailType
  readonly templateId: string | null
}

/** Content with everything that is computed once for all recipients of a request. */
export interface HashedContent extends NewContent {
  readonly hash: string
  readonly templates: CompiledContent
  /** Attachments with their bytes, because the size of a message is checked before it is stored. */
  readonly attached: readonly Attachment[]
  /**
   * The time limit of rendering for all recipients together: they are rendered in one unit, for which all others wait.
   */
  readonly timed: Timed
  /** Keys of the variables for which the body was checked before. */
  readonly checked: ReadonlySet<string>
}

export const hashed = (
  content: NewContent,
  templates: CompiledContent,
  attached: readonly Attachment[],
  timed: Timed,
): HashedContent => ({ ...content, templates, hash: hashOfContent(content), attached, timed, checked: new Set() })

/** The dependencies of the functions that put messages into the ledger. */
export interface LedgerDeps extends Pick<Engine, "ids" | "bus"> {
  readonly renderer: Renderer
  readonly links: Links
  readonly saveContent: SaveContent
  readonly wake: (lane: Lane, projectId: string) => void
}

/**
 * Puts single messages into the ledger. Each is rendered once before it is stored, so that faulty content is refused in
 * the response to the caller (contract A3.5), and the ledger shows the subject as sent.
 */
export function createMailAcceptor({ ids, bus, links, saveContent, wake }: Omit<LedgerDeps, "renderer">) {
  function prepare(mail: Mail, content: HashedContent, { id, at }: { id: string; at: number }) {
    const { contact, visible } = mail
    const locale = pickLocale(visible.locale, mail.language)
    if ("refusal" in content.templates) throw content.templates.refusal
    const { subject, body, text, all } = content.templates
    const variables = pickVariables(all, variablesFor(contact, visible, locale, mail.context)) as JsonObject
    const complete = withLinks(variables, all, links, {
      contactId: contact.id,
      id,
      projectId: mail.projectId,
    })
    const { timed } = content
    const line = rendering("subject", () => timed((limits) => subject.render(complete, { locale, limits })))
    const email = emailOf(mail, content, { id, locale, variables, subject: line }, at)

    /** Throws when the body or the text cannot be rendered, or makes the message too large. */
    function checkBody(): void {
      const html = rendering("body", () => timed((limits) => body.render(complete, { locale, limits })))
      const own = text && rendering("text", () => timed((limits) => text.render(complete, { locale, limits })))
      if (!mayBeTooLarge(html, own, content)) return
      const { headers, attached: attachments } = content
      const draft = draftOf(email, {
        html,
        ...(own !== undefined && { text: own }),
        headers,
        attachments,
        listUnsubscribeUrl: null,
      })
      rendering("body", () => timed(() => checkSize(compose(draft))))
    }
    return { email, checkBody }
  }

  /** The key of the variables that a body uses, except links, whose length is constant. */
  const keyOf = ({ variables, locale }: Email): string => Bun.hash(JSON.stringify([variables, locale])).toString(36)

  return {
    /** Puts a message into the ledger in the caller's unit; resolves to its id. */
    async accept(unit: Unit, mail: Mail, content: HashedContent): Promise<string> {
      const id = ids.next()
      const { email, checkBody } = prepare(mail, content, { id, at: unit.now })
      if (!content.checked.has(keyOf(email))) checkBody()
      await saveContent(unit, mail.projectId, content.hash, content)
      await insertEmail(unit, email)
      await bus.emit(unit, emailChanged, mail.projectId, { id, change: "created" })
      unit.afterCommit(() => wake(laneOf(mail.source, mail.type), mail.projectId))
      return id
    },

    /** Checks a body as `accept` does, unless it is in `checked`, and adds it there. Stores nothing. */
    check(mail: Mail, content: HashedContent, at: number, checked: Set<string>): void {
      const { email, checkBody } = prepare(mail, content, { id: nilId, at })
      const key = keyOf(email)
      if (checked.has(key)) return
      checkBody()
      checked.add(key)
    },
  }
}

type Rendered = Pick<Email, "id" | "locale" | "variables" | "subject">

function emailOf(mail: Mail, { hash }: HashedContent, rendered: Rendered, at: number): Email {
  const { source, projectId, contact, templateId, to = contact.email, toName, from, fromName, replyTo, type } = mail
  const addresses = { to, toName, from, fromName, replyTo }
  const fields = { ...rendered, ...addresses, projectId, contactId: contact.id, templateId, contentHash: hash, type }
  const refused = mail.refusal === undefined ? {} : ({ status: "FAILED", error: mail.refusal } as const)
  return newEmail(source, { ...fields, ...refused }, at)
}

/**
 * Most messages are known to be small without composing them: a character takes at most nine octets, as HTML and as
 * text.
 */
function mayBeTooLarge(html: string, text: string | undefined, { attached, headers }: HashedContent): boolean {
  const attachedBytes = attached.reduce((sum, { content }) => sum + content.byteLength, 0)
  const headerLength = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  return (html.length + (text ?? html).length + headerLength) * 9 + attachedBytes * 1.5 > messageLimit / 2
}

export type MailAcceptor = ReturnType<typeof createMailAcceptor>
