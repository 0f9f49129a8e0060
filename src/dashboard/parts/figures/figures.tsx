import { Skeleton } from "@mantine/core"
import type { Overview } from "../../api/analytics.ts"
import { numberText } from "../chart/series.ts"
import { isDeliveryReported, notReported } from "./delivery.ts"
import styles from "./figures.module.css"

/** The figures that are shown, with their labels. */
export const shownFigures = [
  ["sent", "Sent"],
  ["delivered", "Delivered"],
  ["opened", "Opened"],
  ["clicked", "Clicked"],
  ["bounced", "Bounced"],
  ["complained", "Complained"],
] as const

const bad: readonly string[] = ["bounced", "complained"]

/** The figures of a span, each against the span before; opens by machines apart. */
export function Figures({ overview: { current, previous } }: { overview: Overview }) {
  const isSilent = (name: string) => name === "delivered" && !isDeliveryReported(current)
  return (
    <dl className={styles.figures}>
      {shownFigures.map(([name, label]) => (
        <div key={name} className={styles.figure}>
          <dt>{label}</dt>
          <dd className={styles.value}>{isSilent(name) ? "–" : numberText(current[name])}</dd>
          {isSilent(name) ? (
            <dd className={styles.note}>{notReported}</dd>
          ) : (
            <Change now={current[name]} then={previous[name]} isBad={bad.includes(name)} />
          )}
          {name === "opened" && current.machineOpened > 0 && (
            <dd className={styles.note}>{numberText(current.machineOpened)} by machines</dd>
          )}
        </div>
      ))}
    </dl>
  )
}

/** As high as the figures in each width. */
export const FiguresSkeleton = () => (
  <div className={styles.figures}>
    {shownFigures.map(([name]) => (
      <Skeleton key={name} className={styles.waiting ?? ""} radius={0} />
    ))}
  </div>
)

function Change({ now, then, isBad }: { now: number; then: number; isBad: boolean }) {
  if (then === 0) return <dd className={styles.note}>{now === 0 ? "as before" : "none before"}</dd>
  const percent = Math.round(((now - then) / then) * 100)
  const tone = percent === 0 ? undefined : percent > 0 === isBad ? "worse" : "better"
  return (
    <dd className={styles.note} data-tone={tone}>
      {percent > 0 ? "+" : percent < 0 ? "−" : "±"}
      {numberText(Math.abs(percent))}% against {numberText(then)}
    </dd>
  )
}
