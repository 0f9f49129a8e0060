import type { CampaignStats } from "../../../api/campaigns.ts"
import { notReported } from "../../../parts/figures/delivery.ts"
import { percent, reportsDelivery } from "../labels.ts"
import styles from "./report.module.css"

interface Figure {
  readonly name: string
  /** Null when nobody reports it. */
  readonly count: number | null
  readonly rate: number | null
  readonly isBad?: boolean
}

/** The counts and their shares of the sent mails. */
export function Figures({ stats }: { stats: CampaignStats }) {
  const figures: readonly Figure[] = [
    { name: "Sent", count: stats.sentCount, rate: null },
    reportsDelivery(stats)
      ? { name: "Delivered", count: stats.deliveredCount, rate: stats.deliveryRate }
      : { name: "Delivered", count: null, rate: null },
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
            {rate !== null && percent(rate)}
            {count === null ? <small>{notReported}</small> : <Count count={count} isAlone={rate === null} />}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Less prominent than a share beside it. */
function Count({ count, isAlone }: { count: number; isAlone: boolean }) {
  const text = count.toLocaleString("en")
  return isAlone ? text : <small>{text}</small>
}
