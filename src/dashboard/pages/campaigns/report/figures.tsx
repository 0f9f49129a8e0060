import type { CampaignStats } from "../../../api/campaigns.ts"
import { percent } from "../labels.ts"
import styles from "./report.module.css"

interface Figure {
  readonly name: string
  readonly count: number
  readonly rate: number | null
  readonly isBad?: boolean
}

/** The counts and their shares of the sent mails. */
export function Figures({ stats }: { stats: CampaignStats }) {
  const figures: readonly Figure[] = [
    { name: "Sent", count: stats.sentCount, rate: null },
    { name: "Delivered", count: stats.deliveredCount, rate: stats.deliveryRate },
    { name: "Opened", count: stats.openedCount, rate: stats.openRate },
    { name: "Clicked", count: stats.clickedCount, rate: stats.clickRate },
    { name: "Unsubscribed", count: stats.unsubscribedCount, rate: stats.unsubscribeRate },
    { name: "Bounced", count: stats.bouncedCount, rate: stats.bounceRate, isBad: stats.bounceRate >= 5 },
    { name: "Complained", count: stats.complainedCount, rate: stats.complaintRate, isBad: stats.complaintRate >= 0.1 },
    ...(stats.failedCount > 0 ? [{ name: "Failed", count: stats.failedCount, rate: null, isBad: true }] : []),
    ...(stats.cancelledCount > 0 ? [{ name: "Not sent", count: stats.cancelledCount, rate: null }] : []),
  ]
  return (
    <dl className={styles.figures} aria-label="Figures">
      {figures.map(({ name, count, rate, isBad }) => (
        <div key={name} className={styles.figure} data-bad={isBad || undefined}>
          <dt>{name}</dt>
          <dd>
            {rate === null ? count.toLocaleString("en") : percent(rate)}
            {rate !== null && <small>{count.toLocaleString("en")}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
