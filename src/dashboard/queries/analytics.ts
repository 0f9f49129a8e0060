import { useQuery } from "@tanstack/react-query"
import { type DaySpan, getOverview, listDomains, listTopCampaigns, listTopEvents } from "../api/analytics.ts"
import { useSession } from "../context/session.ts"

const pollEvery = 30_000

const useFigures = <T>(
  name: string,
  load: (projectId: string, span: DaySpan, signal: AbortSignal) => Promise<T>,
  span: DaySpan,
) => {
  const projectId = useSession().project.id
  return useQuery({
    queryKey: ["analytics", projectId, name, span],
    queryFn: ({ signal }) => load(projectId, span, signal),
    refetchInterval: pollEvery,
  })
}

export const useOverview = (span: DaySpan) => useFigures("overview", getOverview, span)
export const useTopCampaigns = (span: DaySpan) => useFigures("campaigns", listTopCampaigns, span)
export const useTopEvents = (span: DaySpan) => useFigures("events", listTopEvents, span)
export const useDomainFigures = (span: DaySpan) => useFigures("domains", listDomains, span)
