import type { Campaign } from "../../../api/campaigns.ts"
import { shareOf } from "../labels.ts"
import styles from "./report.module.css"

type Counts = Pick<Campaign, "totalRecipients" | "sentCount" | "failedCount" | "cancelledCount">

/** How many of the mails have been sent. */
export function Progress({ counts: { totalRecipients, sentCount, failedCount, cancelledCount } }: { counts: Counts }) {
  const done = sentCount + failedCount + cancelledCount
  const share = shareOf(done, totalRecipients)
  return (
    <section className={styles.progress} aria-label="Progress">
      <div
        className={styles.track}
        role="progressbar"
        aria-label="Sent so far"
        aria-valuenow={Math.round(share * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <span style={{ width: `${share * 100}%` }} />
      </div>
      <p role="status">
        {done.toLocaleString("en")} of {totalRecipients.toLocaleString("en")} are out
      </p>
    </section>
  )
}
