import type {
  addedSchema,
  computedSchema,
  newMembersBody,
  newSegmentBody,
  previewSchema,
  refreshedSchema,
  removedSchema,
  segmentChangeBody,
  segmentSchema,
} from "../../modules/segments/index.ts"
import type { ConditionJson } from "./conditions.ts"
import type { Contact } from "./contacts.ts"
import { call, queryString, read } from "./http.ts"
import type { PageList, Wire } from "./types.ts"

/** Contract B3.1. The schema types the condition only as an object; it is null for STATIC. */
export type Segment = Omit<Wire<typeof segmentSchema>, "condition"> & { readonly condition: ConditionJson | null }
export type SegmentType = Segment["type"]
type MemberPage = PageList<Contact>

/** The number of contacts that a condition matches now, and the newest of them. */
type Audience = Wire<typeof previewSchema>
export type AddedMembers = Wire<typeof addedSchema>
type ComputedMembers = Wire<typeof computedSchema>

const path = (id: string): string => `/segments/${encodeURIComponent(id)}`

export const listSegments = (projectId: string, signal?: AbortSignal): Promise<readonly Segment[]> =>
  read("/segments", { projectId, signal })

/** The segments that a contact is in now. */
export const listSegmentsOf = (
  projectId: string,
  contactId: string,
  signal?: AbortSignal,
): Promise<readonly Segment[]> => read(`/segments${queryString({ contactId })}`, { projectId, signal })

export const getSegment = (projectId: string, id: string, signal?: AbortSignal): Promise<Segment> =>
  read(path(id), { projectId, signal })

export const createSegment = (projectId: string, segment: Wire<typeof newSegmentBody>): Promise<Segment> =>
  read("/segments", { projectId, method: "POST", body: segment })

export const changeSegment = (projectId: string, id: string, part: Wire<typeof segmentChangeBody>): Promise<Segment> =>
  read(path(id), { projectId, method: "PATCH", body: part })

export async function deleteSegment(projectId: string, id: string): Promise<void> {
  await call(path(id), { projectId, method: "DELETE" })
}

export const listMembers = (
  projectId: string,
  id: string,
  query: { readonly page: number; readonly pageSize: number },
  signal?: AbortSignal,
): Promise<MemberPage> => read(`${path(id)}/contacts${queryString(query)}`, { projectId, signal })

/** At most `mostAddresses` of them. */
export const addMembers = (projectId: string, id: string, body: Wire<typeof newMembersBody>): Promise<AddedMembers> =>
  read(`${path(id)}/members`, { projectId, method: "POST", body })

export const removeMembers = (
  projectId: string,
  id: string,
  emails: readonly string[],
): Promise<Wire<typeof removedSchema>> => read(`${path(id)}/members`, { projectId, method: "DELETE", body: { emails } })

/** Contract B3.3.1. */
export const mostAddresses = 1_000

/** Evaluates a tracked segment for all contacts, with entry and exit events. */
export const computeSegment = (projectId: string, id: string): Promise<ComputedMembers> =>
  read(`${path(id)}/compute`, { projectId, method: "POST" })

/** Only counts again. */
export const refreshSegment = (projectId: string, id: string): Promise<Wire<typeof refreshedSchema>> =>
  read(`${path(id)}/refresh`, { projectId, method: "POST" })

/** Evaluates a condition that need not be saved. */
export const previewCondition = (projectId: string, condition: unknown, signal?: AbortSignal): Promise<Audience> =>
  read("/segments/preview", { projectId, method: "POST", body: { condition }, signal })
