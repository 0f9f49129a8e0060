import { Skeleton } from "@mantine/core"
import type { UseQueryResult } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { Link } from "wouter"
import type { DaySpan } from "../../api/analytics.ts"
import { numberText } from "../../parts/chart/series.ts"
import { isDeliveryReported } from "../../parts/figures/delivery.ts"
import { useDomainFigures, useTopCampaigns, useTopEvents } from "../../queries/analytics.ts"
import { Notice } from "../../ui/empty-state.tsx"
import { NumberTable } from "../../ui/number-table.tsx"
import styles from "./analytics-page.module.css"

const percent = (value: number): string => `${numberText(value)}%`

/** The campaigns of a span side by side. */
export function Campaigns({ span }: { span: DaySpan }) {
  return (
    <Figures
      title="Campaigns"
      columns={["Sent", "Opened", "Clicked", "Open rate", "Click rate"]}
      query={useTopCampaigns(span)}
    >
      {({ id, name, ...row }) => (
        <tr key={id}>
          <th scope="row">
            <Link href={`/campaigns/${id}`}>{name}</Link>
          </th>
          <td>{numberText(row.sentCount)}</td>
          <td>{numberText(row.openedCount)}</td>
          <td>{numberText(row.clickedCount)}</td>
          <td>{percent(row.openRate)}</td>
          <td>{percent(row.clickRate)}</td>
        </tr>
      )}
    </Figures>
  )
}

/** The most frequent events of a span against the span before. */
export function Events({ span }: { span: DaySpan }) {
  return (
    <Figures title="Events" columns={["Count", "Trend"]} query={useTopEvents(span)}>
      {({ name, count, trend }) => (
        <tr key={name}>
          <th scope="row">
            <Link href={`/events?${new URLSearchParams({ name })}`}>{name}</Link>
          </th>
          <td>{numberText(count)}</td>
          <td data-trend={trend > 0 ? "up" : trend < 0 ? "down" : undefined}>
            {trend > 0 ? "+" : trend < 0 ? "−" : "±"}
            {percent(Math.abs(trend))}
          </td>
        </tr>
      )}
    </Figures>
  )
}

/** The outcomes of the mails of a span, by the domain of the recipient. */
export function Domains({ span }: { span: DaySpan }) {
  return (
    <Figures
      title="Recipient domains"
      columns={["Sent", "Delivered", "Opened", "Bounced", "Complained"]}
      query={useDomainFigures(span)}
    >
      {({ domain, sentCount, deliveryRate, openRate, bounceRate, complaintRate }) => (
        <tr key={domain}>
          <th scope="row">{domain}</th>
          <td>{numberText(sentCount)}</td>
          <td>{reportedShare({ deliveryRate, bounceRate })}</td>
          <td>{percent(openRate)}</td>
          <td>{percent(bounceRate)}</td>
          <td>{percent(complaintRate)}</td>
        </tr>
      )}
    </Figures>
  )
}

function reportedShare({ deliveryRate, bounceRate }: Record<"deliveryRate" | "bounceRate", number>): string {
  const isReported = isDeliveryReported({ sent: 100, delivered: deliveryRate, bounced: bounceRate })
  return isReported ? percent(deliveryRate) : "–"
}

interface FiguresProps<Row> {
  title: string
  columns: readonly string[]
  query: UseQueryResult<readonly Row[]>
  /** One of them as a row of the table. */
  children(row: Row): ReactNode
}

function Figures<Row>({ title, columns, query: { data, error, refetch }, children }: FiguresProps<Row>) {
  return (
    <section className={styles.table} aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      {data === undefined ? (
        error ? (
          <Notice failed text={error.message} action="Try again" onAction={() => void refetch()} />
        ) : (
          <Skeleton height={44} />
        )
      ) : data.length === 0 ? (
        <p className={styles.none}>None in these days.</p>
      ) : (
        <NumberTable label={`${title}, table`} columns={["Name", ...columns]}>
          {data.map(children)}
        </NumberTable>
      )}
    </section>
  )
}
