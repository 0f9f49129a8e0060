import { useDebouncedValue } from "@mantine/hooks"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { type AudienceFields, countRecipients } from "../../../api/campaigns.ts"
import { useSession } from "../../../context/session.ts"

const pause = 350

/** The number of contacts that would get a campaign now. */
interface RecipientCounts {
  readonly recipients: number
  /** The size of the audience, subscribed or not. Only looked up if nobody would get it, to show why. */
  readonly audienceSize: number
}

/**
 * The recipients of a campaign, counted soon after each change of its audience and again on each mount. Null is an
 * incomplete audience.
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
    /** Whether the count was made since the mount. */
    isNew: query.isFetchedAfterMount,
    /** Whether the count is of another audience or outdated. */
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

/** Without the fields that do not belong to its type. */
const audienceOf = ({ type, audienceType, segmentId, audienceCondition }: AudienceFields): AudienceFields => ({
  type,
  audienceType,
  segmentId: audienceType === "SEGMENT" ? segmentId : null,
  audienceCondition: audienceType === "FILTERED" ? audienceCondition : null,
})
