import type { Engine } from "../../../engine.ts"
import type { ProjectRef } from "../../../http/auth.ts"
import type { IdempotencyCommit } from "../../../http/idempotency.ts"
import { type DomainError, fault, invalid, malformed } from "../../../kernel/errors.ts"
import { yieldToEventLoop } from "../../../kernel/event-loop.ts"
import type { JsonObject } from "../../../kernel/json.ts"
import { literalContent, ordinaryMs, type Renderer, ranOutOfTime } from "../../../mail/render/index.ts"
import type { Attachment } from "../../../mail/transport.ts"
import { type Content, contentOf, type Files } from "../../../store/files.ts"
import type { Contacts, Upserted, UpsertPreview } from "../../contacts/index.ts"
import type { Domains } from "../../domains/index.ts"
import { type Template, type Templates, textOf } from "../../templates/index.ts"
import { apiSource } from "../rules.ts"
import type { StoredAttachment } from "../table.ts"
import { type HashedContent, hashed, type MailAcceptor } from "./accept.ts"

export interface Recipient {
  /** In canonical form. */
  readonly email: string
  readonly name: string | null
}

/** The validated body of `POST /v1/send` (contract A4.2); `undefined` for omitted fields. */
export interface SendRequest {
  readonly to: readonly Recipient[]
  readonly subject?: string | undefined
  readonly body?: string | undefined
  /** The text part; made from the HTML when there is none. */
  readonly text?: string | undefined
  readonly templateId?: string | undefined
  readonly from?: string | undefined
  readonly fromName?: string | undefined
  readonly replyTo?: string | undefined
  readonly subscribed?: boolean | undefined
  readonly data?: JsonObject | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly attachments: readonly Attachment[]
  /** The content is not a template: it is sent as it is. */
  readonly literal?: boolean
}

interface Sent {
  readonly at: number
  readonly emails: readonly { contactId: string; address: string; emailId: string }[]
}

interface SendDeps extends Pick<Engine, "store" | "clock"> {
  readonly contacts: Contacts
  readonly templates: Templates
  readonly domains: Domains
  readonly files: Pick<Files, "keepFor">
  readonly renderer: Renderer
  readonly acceptor: MailAcceptor
}

/** The time limit of rendering in one unit, in ms: more for a single mail than for many, each of which may be slow. */
const inUnit = { one: 1_000, many: 50 } as const
/** The time limit of rendering in one request, in ms. */
const inAll = 10_000
/**
 * The ordinary time of rendering per additional recipient, in ms: within a unit, and outside of one, where others get
 * turns in between.
 */
const perRecipient = { inUnit: 0.05, inTurns: 2 } as const

/**
 * Sends a transactional mail to each recipient, in one unit: all of them are stored or none (contract A4.3). When it
 * resolves the mails are durable.
 */
export const createSend =
  ({ store, clock, contacts, templates, domains, files, renderer, acceptor }: SendDeps) =>
  async (project: ProjectRef, request: SendRequest, commit?: IdempotencyCommit): Promise<Sent> => {
    const template = request.templateId === undefined ? undefined : await templates.get(project.id, request.templateId)
    const { from, fromName, replyTo, headers } = senderOf(project, request, template)
    await domains.requireVerifiedSender(project.id, from)
    const contents = request.attachments.map(({ content }) => contentOf(content))
    const attachments = request.attachments.map((attachment, at) => storedAs(attachment, contents[at] as Content))
    const subject = request.subject ?? template?.subject ?? ""
    const body = request.body ?? template?.body ?? ""
    const text = textOf(request, template)
    const { literal = false } = request
    const stretch = (ms: number, each: number) =>
      renderer.stretch(project.id, { ms, ordinaryMs: ordinaryMs + (request.to.length - 1) * each })
    const content = hashed(
      { subject, body, text, literal, headers, attachments },
      literal ? literalContent({ subject, body, text }) : await renderer.compile(project.id, { subject, body, text }),
      request.attachments,
      stretch(request.to.length === 1 ? inUnit.one : inUnit.many, perRecipient.inUnit),
    )
    const type = template?.type ?? "TRANSACTIONAL"
    const { subscribed, data } = request
    const changeOf = (email: string) => ({ email, subscribed, data, subscribedWhenNew: false })
    const mailTo = ({ contact, visible }: UpsertPreview, toName: string | null) =>
      ({
        source: apiSource,
        projectId: project.id,
        language: project.language,
        contact,
        visible,
        toName,
        from,
        fromName,
        replyTo,
        type,
        templateId: template?.id ?? null,
      }) as const

    function requireConsent({ email, subscribed }: UpsertPreview["contact"]): void {
      if (type === "MARKETING" && !subscribed) throw noMarketing(email)
    }

    const storeAll = (known: HashedContent): Promise<Sent> =>
      store.write(project.id, async (unit) => {
        if (template) await templates.get(project.id, template.id, unit.db)
        const recipients: { found: Upserted; name: string | null }[] = []
        for (const { email, name } of request.to) {
          const found = await contacts.upsertIn(unit, project.id, changeOf(email))
          requireConsent(found.contact)
          recipients.push({ found, name })
        }
        const emails: Sent["emails"][number][] = []
        for (const { found, name } of recipients) {
          const { id: contactId, email: address } = found.contact
          emails.push({ contactId, address, emailId: await acceptor.accept(unit, mailTo(found, name), known) })
        }
        if (commit) await commit(unit)
        return { at: unit.now, emails }
      })

    /**
     * Resolves to the content for `storeAll`, with its bodies checked. Outside a unit others can write between two of
     * them, so rendering all of them may take longer.
     */
    async function checkAll(): Promise<HashedContent> {
      const unhurried = {
        ...content,
        timed: stretch(request.to.length === 1 ? inUnit.one : inAll, perRecipient.inTurns),
      }
      const recipients: { preview: UpsertPreview; name: string | null }[] = []
      for (const { email, name } of request.to) {
        const preview = await contacts.previewUpsert(project.id, changeOf(email))
        requireConsent(preview.contact)
        recipients.push({ preview, name })
      }
      const checked = new Set<string>()
      for (const { preview, name } of recipients) {
        acceptor.check(mailTo(preview, name), unhurried, clock.now(), checked)
        await yieldToEventLoop()
      }
      return { ...content, timed: stretch(inUnit.one, perRecipient.inUnit), checked }
    }

    // Nothing is written for what is refused (contract A1.6), so files come after the checks.
    if (contents.length > 0) {
      const checked = await checkAll()
      return files.keepFor(contents, () => storeAll(checked))
    }
    try {
      return await storeAll(content)
    } catch (cause) {
      if (request.to.length === 1 || !ranOutOfTime(cause)) throw cause
      return storeAll(await checkAll())
    }
  }

/** Contract A4.3.5. */
const noMarketing = (address: string): DomainError =>
  malformed(`${address} is not subscribed and gets no marketing mail.`, {
    suggestion: "Send subscribed: true when the person has agreed, or use a template of another type.",
  })

/** Request fields win over template fields one by one (contract A4.3.2); a blank name counts as absent. */
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
    // The header may be a list of mailboxes with names: unless it is overridden, it stays as written.
    headers: Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => chosen === undefined || !isReplyTo(name)),
    ),
  }
}

function storedAs(attachment: Attachment, { hash, bytes }: Content): StoredAttachment {
  const { filename, contentType, contentId, disposition } = attachment
  return { filename, contentType, contentId, disposition, size: bytes.byteLength, hash }
}
