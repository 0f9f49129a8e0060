import { LRUCache } from "lru-cache"
import type { Engine } from "../../../engine.ts"
import { turnOfItsOwn } from "../../../kernel/event-loop.ts"
import type { Draft } from "../../../mail/compose.ts"
import { createDraftMaker, largeContent } from "../../../mail/draft-maker.ts"
import { createHtmlThread } from "../../../mail/html-text.ts"
import type { Links } from "../../../mail/links.ts"
import type { MessageSource } from "../../../mail/message-source.ts"
import type { Renderer } from "../../../mail/render/index.ts"
import type { Attachment } from "../../../mail/transport.ts"
import type { Files } from "../../../store/files.ts"
import type { Projects } from "../../projects/index.ts"
import type { Content, Email, StoredAttachment } from "../table.ts"
import type { LinkStore } from "../tracking/links.ts"
import { findContent } from "./content.ts"
import { sourceOf } from "./source-of.ts"

export interface DraftDeps extends Pick<Engine, "store"> {
  readonly projects: Pick<Projects, "find">
  readonly renderer: Renderer
  readonly links: Links
  readonly files: Files
  readonly stored: LinkStore
}

const contentCacheBytes = 32 * 1_048_576
const attachmentCacheBytes = 64 * 1_048_576

/**
 * Makes the message of a ledger row from its content and variables: the same row always gives the same message. Content
 * and attachments are cached in memory under their hash, so an entry is never stale.
 */
export function createDrafts({ store, projects, renderer, links, files, stored }: DraftDeps) {
  const make = createDraftMaker({ renderer, readLarge: createHtmlThread() })
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

  const attachmentsOf = (content: Content) => (): Promise<Attachment[]> => Promise.all(content.attachments.map(load))

  return {
    contentOf,
    saveLinks: stored.save,

    /** About the bytes that a message takes in memory. */
    async sizeOf(email: Email): Promise<number> {
      const content = await contentOf(email)
      if (content === undefined) return 0
      const { body, text, attachments } = content
      return attachments.reduce((sum, { size }) => sum + size, body.length + (text?.length ?? 0))
    },

    /**
     * The message as sent, tracked if its project has tracking (contract A7.3); its links are stored when this
     * resolves. Throws a RenderFault when the content cannot be rendered with the variables of the message.
     */
    async draft(source: MessageSource, content: Content): Promise<Draft> {
      if (isLarge(content)) await turnOfItsOwn()
      const { draft, targets } = await make(source, links, attachmentsOf(content))
      await stored.save(source.shared.projectId, targets)
      return draft
    },

    /** The same before tracking, as `GET /emails/{id}` shows it (contract A4.5.4). Changes nothing. */
    async shown(email: Email, content: Content): Promise<Draft> {
      const { shared, own } = sourceOf(email, content, await projects.find(email.projectId))
      const untracked = { shared: { ...shared, isTracked: false }, own }
      const { draft } = await make(untracked, links, attachmentsOf(content))
      return draft
    },
  }
}

export const isLarge = ({ body, text }: Content): boolean => body.length + (text?.length ?? 0) > largeContent

export type Drafts = ReturnType<typeof createDrafts>
