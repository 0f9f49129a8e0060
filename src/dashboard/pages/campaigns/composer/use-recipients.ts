import { useDebouncedValue } from "@mantine/hooks"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { type AudienceFields, countRecipients } from "../../../api/campaigns.ts"
import { useSession } from "../../../context/session.ts"

const pause = 350

/** Who would get a campaign now. */
export interface RecipientCounts {
  readonly recipients: number
  /** Those it is for, subscribed or not. Only looked up where nobody would get it, to tell why. */
  readonly audienceSize: number
}

/**
 * Who would get a campaign now, counted soon after each change of its audience and anew wherever it is shown again. Null
 * is an audience that is not complete yet.
 */
export function useRecipients(audience: AudienceFields | null) {
  const projectId = useSession().project.id
  const asked = audience && JSON.stringify(audienceOf(audience))
  const [settled] = useDebouncedValue(asked, pause)
  const query = useQuery({
    queryKey: ["recipients", projectId, settled],
    queryFn: ({ signal }) => countAudience(projectId, JSON.parse(settled ?? ""), signal),
    enabled: settled !== null,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 30_000,
  })
  return {
    reach: query.data,
    error: query.error,
    /** What is known was found out since this is shown. */
    isNew: query.isFetchedAfterMount,
    /** What is known is of another audience, or of an earlier moment. */
    isBehind: settled !== asked || query.isFetching,
    retry: () => void query.refetch(),
  }
}

async function countAudience(
  projectId: string,
  audience: AudienceFields,
  signal: AbortSignal,
): Promise<RecipientCounts> {
  const recipients = await countRecipients(projectId, audience, signal)
  if (recipients > 0) return { recipients, audienceSize: recipients }
  return { recipients, audienceSize: await countRecipients(projectId, { ...audience, type: "TRANSACTIONAL" }, signal) }
}

/** Without what does not belong to its type. */
const audienceOf = ({ type, audienceType, segmentId, audienceCondition }: AudienceFields): AudienceFields => ({
  type,
  audienceType,
  segmentId: audienceType === "SEGMENT" ? segmentId : null,
  audienceCondition: audienceType === "FILTERED" ? audienceCondition : null,
})
