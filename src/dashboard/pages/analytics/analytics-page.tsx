import { Skeleton } from "@mantine/core"
import { useDocumentTitle } from "@mantine/hooks"
import { useSearchParams } from "wouter"
import type { DaySpan } from "../../api/analytics.ts"
import { Figures, FiguresSkeleton } from "../../parts/figures/figures.tsx"
import { daysIn, type SpanDays, spanOf } from "../../parts/figures/span.ts"
import { SpanSwitch } from "../../parts/figures/span-switch.tsx"
import { PageHead } from "../../parts/page-head.tsx"
import { useOverview } from "../../queries/analytics.ts"
import { Notice } from "../../ui/empty-state.tsx"
import { SectionsPage } from "../../ui/section.tsx"
import { useNow } from "../../ui/when.tsx"
import styles from "./analytics-page.module.css"
import { Comparison } from "./comparison.tsx"
import { Campaigns, Domains, Events } from "./tables.tsx"

const dayMs = 86_400_000

/** Figures of the last 7, 30 or 90 days, which are in the URL. */
export default function AnalyticsPage() {
  const [params, setParams] = useSearchParams()
  const days = daysIn(params.get("days"))
  const now = useNow()
  useDocumentTitle("Analytics · Mailstead")
  return (
    <SectionsPage>
      <PageHead title="Analytics">
        <SpanSwitch days={days} onDays={(days) => setParams({ days: String(days) }, { replace: true })} />
      </PageHead>
      <div className={styles.scroll}>
        <Content span={spanOf(days, now)} before={spanOf(days, now - days * dayMs)} days={days} />
      </div>
    </SectionsPage>
  )
}

function Content({ span, before, days }: { span: DaySpan; before: DaySpan; days: SpanDays }) {
  const { data, error, refetch } = useOverview(span)
  if (!data && error) return <Notice failed text={error.message} action="Try again" onAction={() => void refetch()} />
  return (
    <div className={styles.content}>
      {data ? (
        <>
          <Figures overview={data} />
          <Comparison key={days} overview={data} before={before} />
        </>
      ) : (
        <>
          <FiguresSkeleton />
          <Skeleton className={styles.chart ?? ""} />
        </>
      )}
      <Campaigns span={span} />
      <Events span={span} />
      <Domains span={span} />
    </div>
  )
}
