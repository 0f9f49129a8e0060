import type { CampaignStats } from "../../../api/campaigns.ts"
import { reportsDelivery, shareOf } from "../labels.ts"
import styles from "./report.module.css"

/** The numbers from recipients to clicks, as bars of the same scale. */
export function Funnel({ stats }: { stats: CampaignStats }) {
  const whole = Math.max(stats.totalRecipients, stats.sentCount)
  const steps = [
    { name: "Recipients", count: stats.totalRecipients },
    { name: "Sent", count: stats.sentCount },
    ...(reportsDelivery(stats) ? [{ name: "Delivered", count: stats.deliveredCount }] : []),
    { name: "Opened", count: stats.openedCount },
    { name: "Clicked", count: stats.clickedCount },
  ]
  return (
    <figure className={styles.funnel}>
      <figcaption>From recipients to clicks</figcaption>
      <table>
        <tbody>
          {steps.map(({ name, count }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className={styles.bars}>
                {count > 0 && <span style={{ width: `${shareOf(count, whole) * 100}%` }} />}
              </td>
              <td className={styles.amount}>{count.toLocaleString("en")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}
