import type {
  audienceBody,
  campaignBody,
  campaignSchema,
  engagementSchema,
  recipientsSchema,
  statsSchema,
} from "../../modules/campaigns/index.ts"
import type { ConditionJson } from "./conditions.ts"
import { call, queryString, read } from "./http.ts"
import { type PageList, valuesOf, type Wire } from "./types.ts"

/** Contract B1.1. The schema types the condition only as an object. */
export type Campaign = Omit<Wire<typeof campaignSchema>, "audienceCondition"> & {
  readonly audienceCondition: ConditionJson | null
}
export type CampaignStatus = Campaign["status"]
export type AudienceType = Campaign["audienceType"]

/** The editable fields of a campaign (contract B1.1.1). */
export type CampaignFields = Pick<Campaign, keyof Wire<typeof campaignBody>>

/** The fields that determine the recipients of a campaign. */
export type AudienceFields = Pick<Campaign, keyof Wire<typeof audienceBody>>

/** Contract B1.8; rates are percentages of the sent mails. */
export type CampaignStats = Wire<typeof statsSchema>
/** Contract B1.8.1. */
export type CampaignEngagement = Wire<typeof engagementSchema>

export const campaignStatuses = valuesOf<CampaignStatus>({
  DRAFT: true,
  SCHEDULED: true,
  SENDING: true,
  SENT: true,
  CANCELLED: true,
})

export const audienceTypes = valuesOf<AudienceType>({ ALL: true, SEGMENT: true, FILTERED: true })

export type CampaignSort = "name" | "createdAt" | "updatedAt"

export interface CampaignQuery {
  readonly search: string
  readonly status: CampaignStatus | null
  readonly sort: CampaignSort
  readonly dir: "asc" | "desc"
  readonly page: number
  readonly pageSize: number
}

type CampaignPage = PageList<Campaign>

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

export const getCampaignEngagement = (
  projectId: string,
  id: string,
  signal?: AbortSignal,
): Promise<CampaignEngagement> => unwrapped(read(`${path(id)}/engagement`, { projectId, signal }))

export const createCampaign = (projectId: string, fields: Wire<typeof campaignBody>): Promise<Campaign> =>
  unwrapped(read("/campaigns", { projectId, method: "POST", body: fields }))

/** How many contacts would get a campaign now; `totalRecipients` of the campaign is the number at its last save. */
export const countRecipients = async (
  projectId: string,
  audience: Wire<typeof audienceBody>,
  signal?: AbortSignal,
): Promise<number> => {
  const asked = { projectId, method: "POST", body: audience, signal } as const
  return (await unwrapped(read<Wrapped<Wire<typeof recipientsSchema>>>("/campaigns/audience", asked))).recipients
}

export const replaceCampaign = (projectId: string, id: string, fields: Wire<typeof campaignBody>): Promise<Campaign> =>
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

/** The newest campaigns in states that prevent the deletion of their segment. */
export async function listWaitingCampaigns(projectId: string): Promise<readonly Campaign[]> {
  const pages = ["DRAFT", "SCHEDULED", "SENDING"].map((status) =>
    read<CampaignPage>(`/campaigns${queryString({ status, pageSize: 100 })}`, { projectId }),
  )
  return (await Promise.all(pages)).flatMap(({ data }) => data)
}
