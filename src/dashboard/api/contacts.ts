import type { queuedSchema } from "../../jobs/tracked/wire.ts"
import type { bulkSchema } from "../../modules/bulk/index.ts"
import type {
  catalogueSchema,
  contactChangeBody,
  contactSchema,
  deletedFieldSchema,
  fieldUsageSchema,
  lookupSchema,
  upsertedSchema,
  valuesSchema,
} from "../../modules/contacts/index.ts"
import type { importSchema } from "../../modules/imports/index.ts"
import { call, queryString, read } from "./http.ts"
import type { CursorPage, Wire } from "./types.ts"

/** Contract A5. */
export type Contact = Wire<typeof contactSchema>

export type SortKey = "createdAt" | "email"
type Direction = "asc" | "desc"

/** The filter of the list; also the query of a bulk job. */
export interface ContactFilter {
  readonly search: string
  readonly subscribed: boolean | null
}

/** The filter and order of a list of contacts. */
export interface ContactView extends ContactFilter {
  readonly sort: SortKey
  readonly dir: Direction
}

interface ContactQuery extends ContactView {
  readonly limit: number
  readonly cursor?: string | undefined
}

/** `data` is a patch: null deletes a key (contract A2.1). */
export type ContactChange = Wire<typeof contactChangeBody>

/** An entry of the field catalogue (contract A5.7). Custom fields are named `data.…`. */
export type Field = Wire<typeof catalogueSchema>["fields"][number]
export type FieldType = Field["type"]
export type FieldUsage = Wire<typeof fieldUsageSchema>

/** Contract A5.15. */
export type ImportJob = Wire<typeof importSchema>
/** Contract A5.17. */
export type BulkJob = Wire<typeof bulkSchema>
export type BulkOperation = BulkJob["operation"]
export type JobStatus = ImportJob["status"]

/** The contacts of a bulk job: the given ones, or all that match except some. */
export type BulkTarget =
  | { readonly mode: "ids"; readonly contactIds: readonly string[] }
  | {
      readonly mode: "query"
      readonly filter: { readonly find?: string; readonly subscribed?: boolean }
      readonly excludeIds: readonly string[]
    }

const path = (id: string): string => `/contacts/${encodeURIComponent(id)}`
const fieldPath = (field: string): string => `/contacts/fields/${encodeURIComponent(field)}`

/** `search` matches addresses and the values of fields. */
export const listContacts = (
  projectId: string,
  { search, ...query }: ContactQuery,
  signal?: AbortSignal,
): Promise<CursorPage<Contact>> => read(`/contacts${queryString({ find: search, ...query })}`, { projectId, signal })

export const getContact = (projectId: string, id: string, signal?: AbortSignal): Promise<Contact> =>
  read(path(id), { projectId, signal })

/** Creates or patches; `_meta` says which. */
export const saveContact = (
  projectId: string,
  contact: ContactChange & { readonly email: string },
): Promise<Wire<typeof upsertedSchema>> => read("/contacts", { projectId, method: "POST", body: contact })

export const changeContact = (projectId: string, id: string, change: ContactChange): Promise<Contact> =>
  read(path(id), { projectId, method: "PATCH", body: change })

export async function deleteContact(projectId: string, id: string): Promise<void> {
  await call(path(id), { projectId, method: "DELETE" })
}

/** The number of addresses per lookup (contract A5.6). */
const lookupSize = 500

/** The addresses that belong to contacts. */
export async function findKnown(
  projectId: string,
  emails: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
  const known = new Set<string>()
  for (let at = 0; at < emails.length; at += lookupSize) {
    const body = { emails: emails.slice(at, at + lookupSize) }
    const asked = { projectId, signal, method: "POST", body } as const
    const { found } = await read<Wire<typeof lookupSchema>>("/contacts/lookup", asked)
    for (const email of found) known.add(email)
  }
  return known
}

/** The contact with this address, in any spelling. */
export async function findContact(projectId: string, email: string): Promise<Contact | undefined> {
  const asked = { projectId, method: "POST", body: { emails: [email] } } as const
  const { found } = await read<Wire<typeof lookupSchema>>("/contacts/lookup", asked)
  if (found.length === 0) return undefined
  // an address alone does not change an existing contact
  const { _meta, ...contact } = await saveContact(projectId, { email })
  return contact
}

export const listFields = async (projectId: string, signal?: AbortSignal): Promise<readonly Field[]> =>
  (await read<Wire<typeof catalogueSchema>>("/contacts/fields", { projectId, signal })).fields

export const listValues = (projectId: string, field: string): Promise<Wire<typeof valuesSchema>> =>
  read(`${fieldPath(field)}/values`, { projectId })

export const getFieldUsage = (projectId: string, field: string): Promise<FieldUsage> =>
  read(`${fieldPath(field)}/usage`, { projectId })

export const deleteField = (projectId: string, field: string): Promise<Wire<typeof deletedFieldSchema>> =>
  read(fieldPath(field), { projectId, method: "DELETE" })

export async function startImport(projectId: string, file: File, signal?: AbortSignal): Promise<string> {
  const body = new FormData()
  body.set("file", file, file.name)
  const asked = { projectId, signal, method: "POST", body } as const
  return (await read<Wire<typeof queuedSchema>>("/contacts/import", asked)).jobId
}

export const getImport = (projectId: string, jobId: string, signal?: AbortSignal): Promise<ImportJob> =>
  read(`/contacts/import/${encodeURIComponent(jobId)}`, { projectId, signal })

export async function startBulk(projectId: string, operation: BulkOperation, target: BulkTarget): Promise<string> {
  const options = { projectId, method: "POST", body: target } as const
  return (await read<Wire<typeof queuedSchema>>(`/contacts/bulk-${operation}`, options)).jobId
}

export const getBulk = (projectId: string, jobId: string, signal?: AbortSignal): Promise<BulkJob> =>
  read(`/contacts/bulk/${encodeURIComponent(jobId)}`, { projectId, signal })
