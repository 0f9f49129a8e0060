import { useState } from "react"
import { Link } from "wouter"
import type { Activity } from "../../api/activity.ts"
import { byDay } from "../../ui/by-day.ts"
import { timeOfDay } from "../../ui/format.ts"
import { type RowProps, useRowsInView } from "../../ui/rows-in-view.ts"
import { useNow, When } from "../../ui/when.tsx"
import styles from "./activity-list.module.css"
import { describe, kindOf, recordPath } from "./describe.ts"

/** The height of a row, in px. */
const rowHeight = 44

/** What happened, grouped by day; each row leads to its record. Of a long list those in view are there. */
export function ActivityList({ items, label }: { items: readonly Activity[]; label: string }) {
  const now = useNow()
  const [since] = useState(now)
  const { rows, after, body } = useRowsInView<HTMLElement>(
    items.map(({ id }) => id),
    rowHeight,
    undefined,
  )
  const dated = items.map((item) => ({ item, createdAt: item.timestamp }))
  return (
    <section {...body} className={styles.days} aria-label={label}>
      {byDay(dated, rows, now).map(([day, ofDay]) => (
        <section key={day} aria-label={day}>
          <h2 className={styles.day}>{day}</h2>
          <ul className={styles.list}>
            {ofDay.map(({ item: { item }, gap, props }) => (
              <Row key={item.id} item={item} gap={gap} row={props} fresh={Date.parse(item.timestamp) > since} />
            ))}
          </ul>
        </section>
      ))}
      {after > 0 && <div style={{ height: after }} />}
    </section>
  )
}

interface RowOfActivity {
  item: Activity
  /** The height of the rows that are left out before it, in px. */
  gap: number
  row: RowProps
  /** Whether it came while the list was in view. */
  fresh: boolean
}

function Row({ item, gap, row, fresh }: RowOfActivity) {
  const { label, icon: Icon, tone } = kindOf(item.type)
  return (
    <li
      {...row}
      style={gap > 0 ? { marginTop: gap } : undefined}
      data-fresh={fresh || undefined}
      data-activity={item.id}
    >
      <Link href={recordPath(item)} className={styles.entry ?? ""} data-row>
        <span className={styles.icon} data-tone={tone}>
          <Icon size={15} stroke={1.8} aria-hidden="true" />
        </span>
        <span className={styles.what}>
          <span className={styles.name}>{label}</span>
          <span className={styles.said} dir="auto">
            {describe(item)}
          </span>
        </span>
        <span className={styles.who}>{item.contactEmail}</span>
        <When className={styles.time} at={item.timestamp} now={0} format={timeOfDay} />
      </Link>
    </li>
  )
}
