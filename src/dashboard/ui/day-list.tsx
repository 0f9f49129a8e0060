import type { Icon } from "@tabler/icons-react"
import { type CSSProperties, type ReactNode, useState } from "react"
import { byDay } from "./by-day.ts"
import styles from "./day-list.module.css"
import { timeOfDay } from "./format.ts"
import { type RowProps, useRowsInView } from "./rows-in-view.tsx"
import { useNow, When } from "./when.tsx"

/** The height of a row, in px. */
const rowHeight = 44

/** For the `<li>` of a row. */
export interface DayRowProps extends RowProps {
  readonly className: string | undefined
  readonly style?: CSSProperties | undefined
  /** Whether it came while the list was in view. */
  readonly "data-fresh"?: true | undefined
}

interface DayListProps<T> {
  items: readonly T[]
  /** An ISO time. */
  timeOf(item: T): string
  label: string
  /** For a list that belongs to one contact, in a narrow panel: the parts of a row are below each other. */
  ofContact?: boolean
  row(item: T, props: DayRowProps): ReactNode
}

/** Items grouped by day. Of a long list only the rows in view exist. */
export function DayList<T extends { readonly id: string }>({ items, timeOf, label, ofContact, row }: DayListProps<T>) {
  const now = useNow()
  const [since] = useState(now)
  const { rows, after, body, watch } = useRowsInView<HTMLElement>(
    items.map(({ id }) => id),
    rowHeight,
    undefined,
  )
  return (
    <>
      <section {...body} className={styles.days} aria-label={label} data-narrow={ofContact || undefined}>
        {byDay(items, timeOf, rows, now).map(([day, ofDay]) => (
          <section key={day} aria-label={day}>
            <h2 className={styles.day}>{day}</h2>
            <ul className={styles.list}>
              {ofDay.map(({ item, gap, props }) =>
                row(item, {
                  ...props,
                  className: styles.item,
                  style: gap > 0 ? { marginTop: gap } : undefined,
                  "data-fresh": Date.parse(timeOf(item)) > since || undefined,
                }),
              )}
            </ul>
          </section>
        ))}
        {after > 0 && <div style={{ height: after }} />}
      </section>
      {watch}
    </>
  )
}

/** For the link or button that a row consists of. */
export const dayEntry = styles.entry ?? ""

interface DayEntryContentProps {
  icon: Icon
  tone: "own" | "mail" | "good" | "bad" | "campaign"
  name: string
  said: string
  /** Undefined in a list of one contact. */
  who: string | null | undefined
  /** An ISO time. */
  at: string
}

/** What a row says: what happened, to whom and when. */
export function DayEntryContent({ icon: Icon, tone, name, said, who, at }: DayEntryContentProps) {
  return (
    <>
      <span className={styles.icon} data-tone={tone}>
        <Icon size={15} stroke={1.8} aria-hidden="true" />
      </span>
      <span className={styles.what}>
        <span className={styles.name}>{name}</span>
        <span className={styles.said} dir="auto">
          {said}
        </span>
      </span>
      {who !== undefined && <span className={styles.who}>{who}</span>}
      <When className={styles.time} at={at} now={0} format={timeOfDay} />
    </>
  )
}
