import { Skeleton } from "@mantine/core"
import { useDocumentTitle } from "@mantine/hooks"
import { Link, useSearchParams } from "wouter"
import { allActivity } from "../../api/activity.ts"
import { useSession } from "../../context/session.ts"
import { ActivityList } from "../../parts/activity/activity-list.tsx"
import { Figures } from "../../parts/figures/figures.tsx"
import { MailChart } from "../../parts/figures/mail-chart.tsx"
import { daysIn, type SpanDays, spanOf } from "../../parts/figures/span.ts"
import { SpanSwitch } from "../../parts/figures/span-switch.tsx"
import { PageHead } from "../../parts/page-head.tsx"
import { useActivity } from "../../queries/activity.ts"
import { useOverview } from "../../queries/analytics.ts"
import { Notice } from "../../ui/empty-state.tsx"
import { useHasBeen } from "../../ui/on-demand.tsx"
import { SectionsPage } from "../../ui/section.tsx"
import { useNow } from "../../ui/when.tsx"
import styles from "./home-page.module.css"
import { NextSteps } from "./next-steps.tsx"
import { Planned } from "./planned.tsx"
import { Problems } from "./problems.tsx"

const mostItems = 12

/** The state of a project: problems, set-up steps, figures, planned work and recent activity. */
export default function HomePage() {
  const { project } = useSession()
  const [params, setParams] = useSearchParams()
  const days = daysIn(params.get("days"))
  useDocumentTitle(`${project.name} · Mailstead`)
  return (
    <SectionsPage>
      <PageHead title={project.name} />
      <div className={styles.scroll}>
        <div className={styles.content}>
          <Problems />
          <NextSteps />
          <Mails days={days} onDays={(days) => setParams({ days: String(days) }, { replace: true })} />
          <Planned />
          <Lately />
        </div>
      </div>
    </SectionsPage>
  )
}

/** The figures of mails; not shown before the first mail. */
function Mails({ days, onDays }: { days: SpanDays; onDays(days: SpanDays): void }) {
  const now = useNow()
  const { data } = useOverview(spanOf(days, now))
  // stays while other days are loaded: the choice of days, which has the focus, is a part of it
  const isShown = useHasBeen(data !== undefined && (days !== 30 || data.current.sent + data.previous.sent > 0))
  if (!isShown) return null
  return (
    <section className={styles.lately} aria-label="Mails">
      <header className={styles.head}>
        <h2 className={styles.title}>Mails</h2>
        <SpanSwitch days={days} onDays={onDays} />
      </header>
      {data ? (
        <div className={styles.mails}>
          <Figures overview={data} />
          <MailChart overview={data} />
        </div>
      ) : (
        <Skeleton height={440} />
      )}
    </section>
  )
}

function Lately() {
  const { query, rows: items } = useActivity(allActivity)
  if (query.isError && items.length === 0)
    return <Notice failed text={query.error.message} action="Try again" onAction={() => void query.refetch()} />
  if (items.length === 0) return null
  return (
    <section className={styles.lately} aria-label="What happened">
      <header className={styles.head}>
        <h2 className={styles.title}>What happened</h2>
        <Link href="/activity" className={styles.all ?? ""}>
          All activity
        </Link>
      </header>
      <ActivityList items={items.slice(0, mostItems)} label="Activity" />
    </section>
  )
}
