import { asDocument, type Draft } from "./compose.ts"
import { type Footer, footerOf, ownLinks, textWith } from "./footer.ts"
import { createHtmlReader, type HtmlReading, textPartOf } from "./html-text.ts"
import { offersUnsubscribe, withLinks } from "./link-variables.ts"
import type { Links } from "./links.ts"
import type { MessageSource } from "./message-source.ts"
import { pickLocale, type Renderer, type Template } from "./render/index.ts"
import { trackingOf, withAdditions } from "./tracking.ts"
import type { Attachment } from "./transport.ts"

interface DraftMakerDeps {
  readonly renderer: Pick<Renderer, "load" | "stretch">
  /** Reads HTML of a project that is longer than `largeContent`. */
  readonly readLarge: (html: string, projectId: string) => Promise<HtmlReading>
}

type MessageLinks = Pick<Links, "page" | "account" | "isPage" | "open" | "click">

export interface MadeDraft {
  readonly draft: Draft
  /** The addresses of its tracked links by their keys: they must be stored before the message is sent. */
  readonly targets: ReadonlyMap<string, string>
}

/** A rendered message before anything is added. */
interface RenderedMessage {
  /** A whole document. */
  readonly html: string
  readonly reading: HtmlReading
  /** The text part that the sender gave; undefined when it is made from the HTML. */
  readonly text: string | undefined
  readonly unsubscribeUrl: string | null
}

/** Characters of a content, or of its HTML, from which on a message takes some milliseconds to be rendered, or read. */
export const largeContent = 131_072

/**
 * Makes drafts from their sources: the same source always gives the same draft. Rejects with a RenderFault when the content
 * cannot be rendered with the variables of the message.
 */
export function createDraftMaker({ renderer, readLarge }: DraftMakerDeps) {
  const readHtml = createHtmlReader()

  /** HTML that a template has made takes as long to read as to make, so both count for the project (contract A3.6). */
  async function readingOf(html: string, projectId: string, isTemplate: boolean): Promise<HtmlReading> {
    if (html.length > largeContent) return readLarge(html, projectId)
    return isTemplate ? renderer.stretch(projectId)(() => readHtml(html)) : readHtml(html)
  }

  async function render({ shared, own }: MessageSource, links: MessageLinks): Promise<RenderedMessage> {
    const { projectId, literal } = shared
    const { id, contactId, locale } = own
    const body = literal ? undefined : await renderer.load(projectId, shared.body, "html")
    const plain = literal || shared.text === null ? undefined : await renderer.load(projectId, shared.text, "text")
    const templates = [body, plain].filter((template) => template !== undefined)
    const complete = withLinks(own.variables, templates, links, { contactId, id, projectId })
    const timed = renderer.stretch(projectId)
    const rendered = (template: Template | undefined) =>
      template && timed((limits) => template.render(complete, { locale, limits }))
    const html = asDocument(rendered(body) ?? shared.body)
    const canUnsubscribe = shared.offersUnsubscribe || templates.some(offersUnsubscribe)
    return {
      html,
      reading: await readingOf(html, projectId, body !== undefined),
      text: rendered(plain) ?? shared.text ?? undefined,
      unsubscribeUrl: contactId !== null && canUnsubscribe ? links.page("unsubscribe", contactId, id) : null,
    }
  }

  function footerFor({ shared, own }: MessageSource, rendered: RenderedMessage): Footer | undefined {
    const { reading, text, unsubscribeUrl } = rendered
    if (shared.footer === null || unsubscribeUrl === null) return undefined
    return footerOf({
      language: pickLocale(own.locale),
      sender: own.from.name || own.from.address,
      unsubscribeUrl,
      ...ownLinks(unsubscribeUrl, reading, text),
      postalAddress: shared.footer.postalAddress,
    })
  }

  /** Attachments are read when the rest is rendered: what cannot be rendered, or not now, does without them. */
  return async (
    source: MessageSource,
    links: MessageLinks,
    readAttachments = async (): Promise<readonly Attachment[]> => [],
  ): Promise<MadeDraft> => {
    const { shared, own } = source
    const rendered = await render(source, links)
    const attachments = await readAttachments()
    const { html, reading, text, unsubscribeUrl: listUnsubscribeUrl } = rendered
    const footer = footerFor(source, rendered)
    const tracked = shared.isTracked ? trackingOf(source, reading.links, links) : undefined
    const { projectId, stream, bulk, automatic, list, headers } = shared
    const { id, envelopeFrom, from, to, replyTo, subject, date, messageId } = own
    const draft: Draft = {
      ...{ id, projectId, stream, bulk, automatic, list, headers, attachments, listUnsubscribeUrl },
      ...{ envelopeFrom, from, to, replyTo, subject, date, messageId },
      html: withAdditions(html, reading, { footer: footer?.html, tracking: tracked?.tracking }),
      text: textWith(text ?? textPartOf(reading.text, { html, subject }), footer),
    }
    return { draft, targets: tracked?.targets ?? new Map() }
  }
}
