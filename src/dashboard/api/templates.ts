import { call, queryString, read } from "./http.ts"
import type { Data, MailType, Template } from "./wire.ts"

export type TemplateSort = "name" | "createdAt" | "updatedAt"

export interface TemplateQuery {
  readonly search: string
  readonly type: MailType | null
  readonly sort: TemplateSort
  readonly dir: "asc" | "desc"
  readonly page: number
  readonly pageSize: number
}

/** A page list (contract A1.4). */
export interface TemplatePage {
  readonly data: readonly Template[]
  readonly total: number
  readonly page: number
  readonly totalPages: number
}

/** What can be written of a template. */
export type TemplateFields = Pick<
  Template,
  "name" | "description" | "subject" | "body" | "from" | "fromName" | "replyTo" | "type"
>

/** Contract A6.7. */
export interface TemplateUsage {
  readonly campaigns: readonly { readonly id: string; readonly name: string }[]
  readonly workflowSteps: readonly {
    readonly stepId: string
    readonly workflowName: string
    readonly stepName: string
  }[]
  readonly emailsSent: number
}

export interface PreviewRequest {
  readonly subject: string
  readonly body: string
  readonly contactId?: string
  readonly data?: Data
  readonly locale?: string
  /** Marketing mail has a footer, which names the sender. */
  readonly type?: MailType
  readonly fromName?: string
}

export interface Preview {
  readonly subject: string
  readonly html: string
  readonly text: string
  readonly variables: { readonly used: readonly string[]; readonly missing: readonly string[] }
}

const path = (id: string): string => `/templates/${encodeURIComponent(id)}`

export const listTemplates = (projectId: string, query: TemplateQuery, signal?: AbortSignal): Promise<TemplatePage> =>
  read(`/templates${queryString({ ...query })}`, { projectId, signal })

export const getTemplate = (projectId: string, id: string, signal?: AbortSignal): Promise<Template> =>
  read(path(id), { projectId, signal })

export const createTemplate = (projectId: string, fields: TemplateFields): Promise<Template> =>
  read("/templates", { projectId, method: "POST", body: fields })

export const changeTemplate = (projectId: string, id: string, fields: Partial<TemplateFields>): Promise<Template> =>
  read(path(id), { projectId, method: "PATCH", body: fields })

export async function deleteTemplate(projectId: string, id: string): Promise<void> {
  await call(path(id), { projectId, method: "DELETE" })
}

export const duplicateTemplate = (projectId: string, id: string): Promise<Template> =>
  read(`${path(id)}/duplicate`, { projectId, method: "POST" })

export const getTemplateUsage = (projectId: string, id: string): Promise<TemplateUsage> =>
  read(`${path(id)}/usage`, { projectId })

/** Renders content that need not be saved, as a mail of it would be. */
export const previewTemplate = (projectId: string, request: PreviewRequest, signal?: AbortSignal): Promise<Preview> =>
  read("/templates/preview", { projectId, method: "POST", body: request, signal })
