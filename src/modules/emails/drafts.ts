import { LRUCache } from "lru-cache"
import type { Engine } from "../../engine.ts"
import { turnOfItsOwn } from "../../kernel/event-loop.ts"
import { asDocument, type Draft } from "../../mail/compose.ts"
import { type Footer, footerOf, textWith } from "../../mail/footer.ts"
import { createHtmlReader, createHtmlThread, type HtmlReading, linksTo, textPartOf } from "../../mail/html-text.ts"
import type { Links } from "../../mail/links.ts"
import { pickLocale, type Renderer, type Template } from "../../mail/render/index.ts"
import { type Tracking, withAdditions } from "../../mail/tracking.ts"
import type { Attachment } from "../../mail/transport.ts"
import type { Files } from "../../store/files.ts"
import type { Project, Projects } from "../projects/index.ts"
import { findContent } from "./content.ts"
import { isHeadlessCampaign, lanes } from "./rules.ts"
import type { Content, Email, StoredAttachment } from "./table.ts"
import type { Tracker } from "./tracking/tracker.ts"
import { offersUnsubscribe, withLinks } from "./variables.ts"

export interface DraftDeps extends Pick<Engine, "store"> {
  readonly projects: Pick<Projects, "find">
  readonly renderer: Renderer
  readonly links: Links
  readonly files: Files
  readonly track: Tracker
}

/** A rendered message before tracking is added. */
interface RenderedMessage {
  /** A whole document, without the footer. */
  readonly html: string
  readonly reading: HtmlReading
  /** The text part that the sender gave; undefined when it is made from the HTML. */
  readonly text: string | undefined
  readonly unsubscribeUrl: string | null
}

/** Characters of a content, or of its HTML, from which on a message takes some milliseconds to be rendered, or read. */
const largeContent = 131_072
const contentCacheBytes = 32 * 1_048_576
const attachmentCacheBytes = 64 * 1_048_576

/**
 * Makes the message of a ledger row from its content and variables: the same row always gives the same message. Content
 * and attachments are cached in memory under their hash, so an entry is never stale.
 */
export function createDrafts({ store, projects, renderer, links, files, track }: DraftDeps) {
  const readHtml = createHtmlReader()
  const readOnThread = createHtmlThread()
  const contents = new LRUCache<string, Content>({
    max: 1_000,
    maxSize: contentCacheBytes,
    sizeCalculation: ({ body, text }) => body.length + (text?.length ?? 0) + 1_000,
  })
  const attachments = new LRUCache<string, Uint8Array>({
    max: 100,
    maxSize: attachmentCacheBytes,
    // A file may be empty, but its size must not be 0.
    sizeCalculation: ({ byteLength }) => byteLength + 1,
  })

  async function contentOf({ projectId, contentHash }: Email): Promise<Content | undefined> {
    if (contentHash === null) return undefined
    const key = `${projectId} ${contentHash}`
    const known = contents.get(key)
    if (known) return known
    const content = await findContent(store.read, projectId, contentHash)
    if (content) contents.set(key, content)
    return content
  }

  async function load(stored: StoredAttachment): Promise<Attachment> {
    const { filename, contentType, contentId, disposition, hash } = stored
    const content = attachments.get(hash) ?? (await files.read(hash))
    attachments.set(hash, content)
    return { filename, contentType, contentId, disposition, content }
  }

  /** The list of bulk mail is its project (contract A7.1.1). */
  const listOf = ({ lane, campaignId }: Email, project: Project | undefined): Draft["list"] =>
    lane === lanes.bulk && project !== undefined ? { name: project.name, campaignId } : null

  /** HTML that a template has made takes as long to read as to make, so both count for the project (contract A3.6). */
  async function readingOf(html: string, projectId: string, isTemplate: boolean): Promise<HtmlReading> {
    if (html.length > largeContent) return readOnThread(html, projectId)
    return isTemplate ? renderer.stretch(projectId)(() => readHtml(html)) : readHtml(html)
  }

  async function renderMessage(email: Email, content: Content): Promise<RenderedMessage> {
    const { id, contactId, projectId, variables, locale } = email
    const body = content.literal ? undefined : await renderer.load(projectId, content.body, "html")
    const plain =
      content.literal || content.text === null ? undefined : await renderer.load(projectId, content.text, "text")
    const templates = [body, plain].filter((template) => template !== undefined)
    const complete = withLinks(variables ?? {}, templates, links, email)
    const timed = renderer.stretch(projectId)
    const rendered = (template: Template | undefined) =>
      template && timed((limits) => template.render(complete, { locale, limits }))
    const html = asDocument(rendered(body) ?? content.body)
    const isMarketing = email.type === "MARKETING"
    const hasUnsubscribe = isMarketing || isHeadlessCampaign(email) || templates.some(offersUnsubscribe)
    const canUnsubscribe = contactId !== null && hasUnsubscribe
    const unsubscribeUrl = canUnsubscribe ? links.page("unsubscribe", contactId, id) : null
    return {
      html,
      reading: await readingOf(html, projectId, body !== undefined),
      text: rendered(plain) ?? content.text ?? undefined,
      unsubscribeUrl,
    }
  }

  function footerFor(
    email: Email,
    { reading, text, unsubscribeUrl }: RenderedMessage,
    project?: Project,
  ): Footer | undefined {
    if (email.type !== "MARKETING" || unsubscribeUrl === null) return undefined
    return footerOf({
      language: pickLocale(email.locale),
      sender: email.fromName ?? email.from,
      unsubscribeUrl,
      hasLink: linksTo(reading, unsubscribeUrl),
      textHasLink: text?.includes(unsubscribeUrl),
      postalAddress: project?.postalAddress ?? null,
    })
  }

  interface Finishing {
    readonly rendered: RenderedMessage
    /** Undefined for mail of the service itself, and for a deleted project. */
    readonly project: Project | undefined
    readonly tracking?: Tracking | undefined
  }

  async function finish(email: Email, content: Content, { rendered, project, tracking }: Finishing): Promise<Draft> {
    const { html, reading, text, unsubscribeUrl: listUnsubscribeUrl } = rendered
    const footer = footerFor(email, rendered, project)
    return draftOf(email, {
      list: listOf(email, project),
      html: withAdditions(html, reading, { footer: footer?.html, tracking }),
      text: textWith(text ?? textPartOf(reading.text, { html, subject: email.subject }), footer),
      headers: content.headers,
      attachments: await Promise.all(content.attachments.map(load)),
      listUnsubscribeUrl,
    })
  }

  return {
    contentOf,

    /** About the bytes that a message takes in memory. */
    async sizeOf(email: Email): Promise<number> {
      const content = await contentOf(email)
      if (content === undefined) return 0
      const { body, text, attachments } = content
      return attachments.reduce((sum, { size }) => sum + size, body.length + (text?.length ?? 0))
    },

    /**
     * The message as sent, tracked if its project has tracking (contract A7.3); its links are stored when this
     * resolves. Throws a RenderFault when the content cannot be rendered with the variables of the message. `project` is
     * undefined for mail of the service itself, and for a deleted project.
     */
    async draft(email: Email, content: Content, project: Project | undefined): Promise<Draft> {
      if (content.body.length + (content.text?.length ?? 0) > largeContent) await turnOfItsOwn()
      const rendered = await renderMessage(email, content)
      const tracking = project && (await track(email, project.tracking, rendered.reading.links))
      return finish(email, content, { rendered, project, tracking })
    },

    /** The same before tracking, as `GET /emails/{id}` shows it (contract A4.5.4). Changes nothing. */
    async shown(email: Email, content: Content): Promise<Draft> {
      return finish(email, content, {
        rendered: await renderMessage(email, content),
        project: await projects.find(email.projectId),
      })
    },
  }
}

type Rendered = Pick<Draft, "html" | "text" | "headers" | "attachments" | "listUnsubscribeUrl"> &
  Partial<Pick<Draft, "list">>

/** A row of the ledger with its rendered content. The sender's own Reply-To header wins over the row. */
export const draftOf = (email: Email, rendered: Rendered): Draft => ({
  id: email.id,
  projectId: email.projectId,
  stream: email.lane === lanes.bulk ? "bulk" : "transactional",
  envelopeFrom: email.from,
  from: { name: email.fromName ?? "", address: email.from },
  to: { name: email.toName ?? "", address: email.to },
  replyTo: hasReplyTo(rendered.headers) ? null : email.replyTo,
  subject: email.subject,
  bulk: email.lane === lanes.bulk,
  date: email.createdAt,
  messageId: email.messageId,
  list: null,
  ...rendered,
})

const hasReplyTo = (headers: Draft["headers"]): boolean =>
  Object.keys(headers).some((name) => name.toLowerCase() === "reply-to")

export type Drafts = ReturnType<typeof createDrafts>
