import { Link } from "wouter"
import type { Activity } from "../../api/activity.ts"
import { describe, kindOf, recordPath } from "../../parts/activity/describe.ts"
import { useUpcoming } from "../../queries/activity.ts"
import { useCampaigns } from "../../queries/campaigns.ts"
import { dayAndTime, fullTime } from "../../ui/format.ts"
import styles from "./home-page.module.css"

/** What runs now, and what comes next. */
export function Planned() {
  const { data: upcoming = [] } = useUpcoming()
  const { data: running } = useCampaigns({
    page: 1,
    pageSize: 10,
    sort: "createdAt",
    dir: "desc",
    search: "",
    status: "SENDING",
  })
  const sending = running?.data ?? []
  if (sending.length === 0 && upcoming.length === 0) return null
  return (
    <section className={styles.lately} aria-label="Now and next">
      <h2 className={styles.title}>Now and next</h2>
      <ul className={styles.planned}>
        {sending.map(({ id, name, sentCount, totalRecipients }) => (
          <li key={id}>
            <Link href={`/campaigns/${id}`}>{name}</Link>
            <span>
              sending, {sentCount.toLocaleString("en")} of {totalRecipients.toLocaleString("en")}
            </span>
          </li>
        ))}
        {upcoming.map((item) => (
          <Coming key={item.id} item={item} />
        ))}
      </ul>
    </section>
  )
}

function Coming({ item }: { item: Activity }) {
  const at = Date.parse(item.timestamp)
  const what = describe(item) || kindOf(item.type).label
  return (
    <li>
      <Link href={recordPath(item)}>{item.contactEmail === null ? what : `${what} · ${item.contactEmail}`}</Link>
      <time dateTime={item.timestamp} title={fullTime(at)}>
        {dayAndTime(at, Date.now())}
      </time>
    </li>
  )
}
