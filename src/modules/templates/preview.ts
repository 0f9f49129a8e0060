import type { ProjectRef } from "../../http/auth.ts"
import { malformed } from "../../kernel/errors.ts"
import { nilId } from "../../kernel/ids.ts"
import type { JsonObject } from "../../kernel/json.ts"
import { createWorkThreads } from "../../kernel/work-threads.ts"
import { isLong, type Renderer } from "../../mail/render/index.ts"
import type { Contacts } from "../contacts/index.ts"
import { type Preview, type PreviewContent, renderPreview } from "./render-preview.ts"
import { textOf } from "./rules.ts"
import type { MailType, Template } from "./table.ts"

export interface PreviewRequest {
  readonly templateId?: string | undefined
  /** These override those of the template individually, as when a message is sent. */
  readonly subject?: string | undefined
  readonly body?: string | undefined
  /** Null: made from the body, also when the template has one. */
  readonly text?: string | null | undefined
  readonly contactId?: string | undefined
  /** The data that a request to send would have. */
  readonly data?: JsonObject | undefined
  readonly locale?: string | undefined
  readonly type?: MailType | undefined
  /** The sender named in the footer of marketing mail. */
  readonly fromName?: string | undefined
}

export interface PreviewDeps {
  readonly contacts: Contacts
  readonly renderer: Renderer
  /** Scheme, host and port of public links. */
  readonly baseUrl: () => string
  readonly get: (projectId: string, id: string) => Promise<Template>
}

/** The path of the thread's program inside the executable; defined by `config/build.ts`. */
declare const MAILSTEAD_PREVIEW_WORKER: string | undefined
const program = typeof MAILSTEAD_PREVIEW_WORKER === "string" ? MAILSTEAD_PREVIEW_WORKER : "./preview-worker.ts"

const limitMs = 15_000
const maxWaiting = 100

/** The contact of a preview without one. */
const nobody = {
  id: nilId,
  email: "somebody@example.com",
  subscribed: true,
  data: {},
}

/**
 * Renders content with the renderer and the rules of a message; changes nothing. Refuses what `POST /v1/send` refuses
 * (contract A3.5).
 */
export function createPreview({ contacts, renderer, baseUrl, get }: PreviewDeps) {
  const threads = createWorkThreads<PreviewContent, Preview>({
    start: () => new Worker(new URL(program, import.meta.url).href, { ref: false }),
    limitMs,
    waiting: { most: maxWaiting, what: "previews" },
    tooSlow: () => malformed(`This preview takes longer than ${limitMs / 1_000} seconds.`),
  })

  return async (
    project: ProjectRef,
    { templateId, contactId, data, locale, ...own }: PreviewRequest,
  ): Promise<Preview> => {
    const template = templateId === undefined ? undefined : await get(project.id, templateId)
    const {
      id,
      email,
      subscribed,
      data: stored,
    } = contactId === undefined ? nobody : await contacts.get(project.id, contactId)
    const content: PreviewContent = {
      projectId: project.id,
      subject: own.subject ?? template?.subject ?? "",
      body: own.body ?? template?.body ?? "",
      text: textOf(own, template),
      contact: { id, email, subscribed, data: stored },
      data,
      locale,
      language: project.language,
      sender: own.fromName?.trim() || template?.fromName?.trim() || project.name || template?.from || "",
      postalAddress: project.postalAddress,
      type: own.type ?? template?.type,
      baseUrl: baseUrl(),
    }
    return [content.subject, content.body, content.text ?? ""].some(isLong)
      ? threads.run(content, project.id)
      : renderPreview(renderer, content)
  }
}
