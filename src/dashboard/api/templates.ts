import type { templateTestBody, testedSchema } from "../../modules/emails/index.ts"
import type {
  newTemplateBody,
  previewBody,
  previewSchema,
  templateChangeBody,
  templateSampleSchema,
  templateSchema,
  templateUsageSchema,
} from "../../modules/templates/index.ts"
import { call, queryString, read } from "./http.ts"
import { type Data, type PageList, valuesOf, type Wire } from "./types.ts"

/** Contract A6. */
export type Template = Wire<typeof templateSchema>
type TemplatePage = PageList<Template>
export type MailType = Template["type"]

export const mailTypes = valuesOf<MailType>({ TRANSACTIONAL: true, MARKETING: true, HEADLESS: true })

export type TemplateSort = "name" | "createdAt" | "updatedAt"

export interface TemplateQuery {
  readonly search: string
  readonly type: MailType | null
  readonly sort: TemplateSort
  readonly dir: "asc" | "desc"
  readonly page: number
  readonly pageSize: number
}

/** The writable fields of a template. */
export type TemplateFields = Pick<
  Template,
  "name" | "description" | "subject" | "body" | "text" | "from" | "fromName" | "replyTo" | "type"
>

/** Contract A6.7. */
export type TemplateUsage = Wire<typeof templateUsageSchema>
/** Contract A6.8. */
export type TemplateSample = Wire<typeof templateSampleSchema>
/** Marketing mail has a footer, which names the sender. */
type PreviewRequest = Wire<typeof previewBody>
type TestRequest = Wire<typeof templateTestBody>
export type Preview = Wire<typeof previewSchema>

const path = (id: string): string => `/templates/${encodeURIComponent(id)}`

export const listTemplates = (projectId: string, query: TemplateQuery, signal?: AbortSignal): Promise<TemplatePage> =>
  read(`/templates${queryString({ ...query })}`, { projectId, signal })

export const getTemplate = (projectId: string, id: string, signal?: AbortSignal): Promise<Template> =>
  read(path(id), { projectId, signal })

export const createTemplate = (projectId: string, fields: Wire<typeof newTemplateBody>): Promise<Template> =>
  read("/templates", { projectId, method: "POST", body: fields })

export const changeTemplate = (
  projectId: string,
  id: string,
  fields: Wire<typeof templateChangeBody>,
): Promise<Template> => read(path(id), { projectId, method: "PATCH", body: fields })

export async function deleteTemplate(projectId: string, id: string): Promise<void> {
  await call(path(id), { projectId, method: "DELETE" })
}

export const duplicateTemplate = (projectId: string, id: string): Promise<Template> =>
  read(`${path(id)}/duplicate`, { projectId, method: "POST" })

export const getTemplateUsage = (projectId: string, id: string): Promise<TemplateUsage> =>
  read(`${path(id)}/usage`, { projectId })

export const getTemplateSample = (projectId: string, id: string, signal?: AbortSignal): Promise<TemplateSample> =>
  read(`${path(id)}/sample`, { projectId, signal })

export const setTemplateSample = (projectId: string, id: string, data: Data): Promise<TemplateSample> =>
  read(`${path(id)}/sample`, { projectId, method: "PUT", body: { data } })

/** Sends a template, maybe with content that is not saved, to one address, and marks it as a test. */
export const testTemplate = (projectId: string, id: string, request: TestRequest): Promise<Wire<typeof testedSchema>> =>
  read(`${path(id)}/test`, { projectId, method: "POST", body: request })

/** Renders content, saved or not, like a mail. */
export const previewTemplate = (projectId: string, request: PreviewRequest, signal?: AbortSignal): Promise<Preview> =>
  read("/templates/preview", { projectId, method: "POST", body: request, signal })
