import type { Campaign } from "../../../api/campaigns.ts"
import { useCampaignEngagement } from "../../../queries/campaigns.ts"
import { Notice } from "../../../ui/empty-state.tsx"
import styles from "./engagement.module.css"
import { EngagementSkeleton } from "./engagement-skeleton.tsx"
import { HoursChart } from "./hours-chart.tsx"
import { MailLinks } from "./mail-links.tsx"

/** Opens and clicks: when, and which links. */
export default function Engagement({ campaign }: { campaign: Campaign }) {
  const { data, error, refetch } = useCampaignEngagement(campaign)
  if (error && !data) return <Notice failed text={error.message} action="Try again" onAction={() => void refetch()} />
  if (!data) return <EngagementSkeleton campaign={campaign} />
  if (data.hours.length === 0) return null
  return (
    <>
      <div className={styles.chart}>
        <HoursChart campaign={campaign} hours={data.hours} />
      </div>
      <MailLinks campaign={campaign} engagement={data} />
    </>
  )
}
