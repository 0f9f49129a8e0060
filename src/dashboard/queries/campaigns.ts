import { keepPreviousData, type QueryClient, useQuery } from "@tanstack/react-query"
import {
  type Campaign,
  type CampaignQuery,
  getCampaign,
  getCampaignEngagement,
  getCampaignStats,
  listCampaigns,
} from "../api/campaigns.ts"
import { useSession } from "../context/session.ts"

const campaignKey = (projectId: string, id: string) => ["campaign", projectId, id]
const statsKey = (projectId: string, id: string) => ["campaign-stats", projectId, id]
const listKey = (projectId: string) => ["campaigns", projectId]

/**
 * The polling intervals of a campaign that is being sent, and of one that has ended, because opens and clicks arrive
 * for days. In ms.
 */
const whileSending = 1_000
const afterwards = 15_000

const isMoving = (campaign: Campaign | undefined): boolean =>
  campaign?.status === "SENDING" || campaign?.status === "SCHEDULED"

/** Whether a campaign is no longer in the composer, as far as this page knows. */
export const hasBegun = (client: QueryClient, projectId: string, id: string): boolean => {
  const status = client.getQueryData<Campaign>(campaignKey(projectId, id))?.status
  return status !== undefined && status !== "DRAFT" && status !== "SCHEDULED"
}

export function useCampaigns(query: CampaignQuery) {
  const projectId = useSession().project.id
  return useQuery({
    queryKey: [...listKey(projectId), query],
    queryFn: ({ signal }) => listCampaigns(projectId, query, signal),
    placeholderData: keepPreviousData,
    staleTime: 5_000,
    refetchInterval: ({ state }) => (state.data?.data.some(isMoving) ? 2 * whileSending : false),
  })
}

export function useCampaign(id: string) {
  const projectId = useSession().project.id
  return useQuery({
    queryKey: campaignKey(projectId, id),
    queryFn: ({ signal }) => getCampaign(projectId, id, signal),
    staleTime: 2_000,
    refetchInterval: ({ state }) => (isMoving(state.data) ? whileSending : false),
  })
}

export function useCampaignStats({ id, status }: Campaign) {
  const projectId = useSession().project.id
  return useQuery({
    // the status is part of the key, so that the counts are read again when sending ends
    queryKey: [...statsKey(projectId, id), status],
    queryFn: ({ signal }) => getCampaignStats(projectId, id, signal),
    placeholderData: keepPreviousData,
    refetchInterval: status === "SENDING" ? whileSending : afterwards,
  })
}

export function useCampaignEngagement({ id, status }: Campaign) {
  const projectId = useSession().project.id
  return useQuery({
    queryKey: ["campaign-engagement", projectId, id],
    queryFn: ({ signal }) => getCampaignEngagement(projectId, id, signal),
    refetchInterval: status === "SENDING" ? 5 * whileSending : afterwards,
  })
}

/** After a campaign was created or changed. */
export function cacheCampaign(client: QueryClient, projectId: string, campaign: Campaign): void {
  client.setQueryData(campaignKey(projectId, campaign.id), campaign)
  void client.invalidateQueries({ queryKey: statsKey(projectId, campaign.id) })
  void client.invalidateQueries({ queryKey: listKey(projectId) })
}

/** After a request about it was refused: it may have been deleted elsewhere. */
export const refetchCampaign = (client: QueryClient, projectId: string, id: string): Promise<void> =>
  client.invalidateQueries({ queryKey: campaignKey(projectId, id) })

/** After a campaign was deleted. */
export function dropCampaign(client: QueryClient, projectId: string, id: string): void {
  client.removeQueries({ queryKey: campaignKey(projectId, id) })
  void client.invalidateQueries({ queryKey: listKey(projectId) })
}
