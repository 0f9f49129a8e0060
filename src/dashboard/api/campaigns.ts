import type { ConditionJson } from "./conditions.ts"
import { call, queryString, read } from "./http.ts"
import type { MailType } from "./wire.ts"

export const campaignStatuses = ["DRAFT", "SCHEDULED", "SENDING", "SENT", "CANCELLED"] as const
export type CampaignStatus = (typeof campaignStatuses)[number]

export const audienceTypes = ["ALL", "SEGMENT", "FILTERED"] as const
export type AudienceType = (typeof audienceTypes)[number]

/** What can be written of a campaign (contract B1.1.1). */
export interface CampaignFields {
  readonly name: string
  readonly description: string | null
  readonly subject: string
  readonly body: string
  readonly from: string
  readonly fromName: string | null
  readonly replyTo: string | null
  readonly type: MailType
  readonly audienceType: AudienceType
  readonly segmentId: string | null
  readonly audienceCondition: unknown
}

/** What decides who gets a campaign. */
export type AudienceFields = Pick<CampaignFields, "type" | "audienceType" | "segmentId" | "audienceCondition">

export interface CampaignCounts {
  readonly totalRecipients: number
  readonly sentCount: number
  readonly deliveredCount: number
  readonly openedCount: number
  readonly clickedCount: number
  readonly bouncedCount: number
  readonly complainedCount: number
  readonly unsubscribedCount: number
  readonly failedCount: number
  readonly cancelledCount: number
}

/** Contract B1.1. */
export interface Campaign extends CampaignFields, CampaignCounts {
  readonly id: string
  readonly status: CampaignStatus
  readonly audienceCondition: ConditionJson | null
  readonly segment: { readonly id: string; readonly name: string } | null
  readonly scheduledFor: string | null
  readonly cancelReason: "user" | "project_disabled" | "sender_unverified" | null
  readonly sentAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** Contract B1.8; rates are percentages of what was sent. */
export interface CampaignStats extends CampaignCounts {
  readonly openRate: number
  readonly clickRate: number
  readonly bounceRate: number
  readonly deliveryRate: number
  readonly complaintRate: number
  readonly unsubscribeRate: number
}

export type CampaignSort = "name" | "createdAt" | "updatedAt"

export interface CampaignQuery {
  readonly search: string
  readonly status: CampaignStatus | null
  readonly sort: CampaignSort
  readonly dir: "asc" | "desc"
  readonly page: number
  readonly pageSize: number
}

/** A page list (contract A1.4). */
export interface CampaignPage {
  readonly data: readonly Campaign[]
  readonly total: number
  readonly page: number
  readonly totalPages: number
}

const path = (id: string): string => `/campaigns/${encodeURIComponent(id)}`

interface Wrapped<T> {
  readonly data: T
}

const unwrapped = async <T>(answer: Promise<Wrapped<T>>): Promise<T> => (await answer).data

export const listCampaigns = (projectId: string, query: CampaignQuery, signal?: AbortSignal): Promise<CampaignPage> =>
  read(`/campaigns${queryString({ ...query })}`, { projectId, signal })

export const getCampaign = (projectId: string, id: string, signal?: AbortSignal): Promise<Campaign> =>
  unwrapped(read(path(id), { projectId, signal }))

export const getCampaignStats = (projectId: string, id: string, signal?: AbortSignal): Promise<CampaignStats> =>
  unwrapped(read(`${path(id)}/stats`, { projectId, signal }))

export const createCampaign = (projectId: string, fields: CampaignFields): Promise<Campaign> =>
  unwrapped(read("/campaigns", { projectId, method: "POST", body: fields }))

/** How many would get a campaign now. What it says of itself (`totalRecipients`) is of the last time it was saved. */
export const countRecipients = async (
  projectId: string,
  audience: AudienceFields,
  signal?: AbortSignal,
): Promise<number> => {
  const asked = { projectId, method: "POST", body: audience, signal } as const
  return (await unwrapped(read<Wrapped<{ recipients: number }>>("/campaigns/audience", asked))).recipients
}

export const replaceCampaign = (projectId: string, id: string, fields: CampaignFields): Promise<Campaign> =>
  unwrapped(read(path(id), { projectId, method: "PUT", body: fields }))

export async function deleteCampaign(projectId: string, id: string): Promise<void> {
  await call(path(id), { projectId, method: "DELETE" })
}

export const duplicateCampaign = (projectId: string, id: string): Promise<Campaign> =>
  unwrapped(read(`${path(id)}/duplicate`, { projectId, method: "POST" }))

/** `scheduledFor` is an ISO time, or null for now. */
export const sendCampaign = (projectId: string, id: string, scheduledFor: string | null): Promise<Campaign> =>
  unwrapped(read(`${path(id)}/send`, { projectId, method: "POST", body: { scheduledFor } }))

export const cancelCampaign = (projectId: string, id: string): Promise<Campaign> =>
  unwrapped(read(`${path(id)}/cancel`, { projectId, method: "POST" }))

export async function testCampaign(projectId: string, id: string, email: string): Promise<void> {
  await call(`${path(id)}/test`, { projectId, method: "POST", body: { email } })
}
