import type { ConditionJson } from "./conditions.ts"
import { call, queryString, read } from "./http.ts"
import type { Contact } from "./wire.ts"

export type SegmentType = "DYNAMIC" | "STATIC"

/** Contract B3.1. */
export interface Segment {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly type: SegmentType
  /** Null for STATIC. */
  readonly condition: ConditionJson | null
  readonly trackMembership: boolean
  readonly slug: string
  readonly memberCount: number
  readonly createdAt: string
  readonly updatedAt: string
}

export interface SegmentFields {
  readonly name: string
  readonly description: string | null
  readonly trackMembership: boolean
  readonly condition?: unknown
}

/** A page list (contract A1.4). */
export interface MemberPage {
  readonly data: readonly Contact[]
  readonly total: number
  readonly page: number
  readonly pageSize: number
  readonly totalPages: number
}

/** Whom a condition matches now, and the newest of them. */
export interface Audience {
  readonly count: number
  readonly contacts: readonly Contact[]
}

export interface Joined {
  readonly added: number
  readonly created: number
  readonly notFound: readonly string[]
}

export interface Computed {
  readonly added: number
  readonly removed: number
  readonly total: number
}

export interface CampaignUse {
  readonly id: string
  readonly name: string
  readonly segmentId: string | null
  readonly audienceCondition: ConditionJson | null
}

const path = (id: string): string => `/segments/${encodeURIComponent(id)}`

export const listSegments = (projectId: string, signal?: AbortSignal): Promise<readonly Segment[]> =>
  read("/segments", { projectId, signal })

export const getSegment = (projectId: string, id: string, signal?: AbortSignal): Promise<Segment> =>
  read(path(id), { projectId, signal })

export const createSegment = (
  projectId: string,
  segment: SegmentFields & { readonly type: SegmentType },
): Promise<Segment> => read("/segments", { projectId, method: "POST", body: segment })

export const changeSegment = (projectId: string, id: string, part: Partial<SegmentFields>): Promise<Segment> =>
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
export const addMembers = (
  projectId: string,
  id: string,
  body: { readonly emails: readonly string[]; readonly createMissing: boolean; readonly subscribed: boolean },
): Promise<Joined> => read(`${path(id)}/members`, { projectId, method: "POST", body })

export const removeMembers = (
  projectId: string,
  id: string,
  emails: readonly string[],
): Promise<{ readonly removed: number }> =>
  read(`${path(id)}/members`, { projectId, method: "DELETE", body: { emails } })

/** Contract B3.3.1. */
export const mostAddresses = 1_000

/** Evaluates a tracked segment for everybody, with entry and exit events. */
export const computeSegment = (projectId: string, id: string): Promise<Computed> =>
  read(`${path(id)}/compute`, { projectId, method: "POST" })

/** Counts again, and no more. */
export const refreshSegment = (projectId: string, id: string): Promise<{ readonly memberCount: number }> =>
  read(`${path(id)}/refresh`, { projectId, method: "POST" })

/** Evaluates a condition that need not be saved. */
export const previewCondition = (projectId: string, condition: unknown, signal?: AbortSignal): Promise<Audience> =>
  read("/segments/preview", { projectId, method: "POST", body: { condition }, signal })

export const listEventNames = async (projectId: string, signal?: AbortSignal): Promise<readonly string[]> =>
  (await read<{ eventNames: readonly string[] }>("/events/names", { projectId, signal })).eventNames

/** Campaigns in a state that keeps their segment from being deleted, the newest ones. */
export async function listWaitingCampaigns(projectId: string): Promise<readonly CampaignUse[]> {
  const pages = ["DRAFT", "SCHEDULED", "SENDING"].map((status) =>
    read<{ data: readonly CampaignUse[] }>(`/campaigns${queryString({ status, pageSize: 100 })}`, { projectId }),
  )
  return (await Promise.all(pages)).flatMap(({ data }) => data)
}
