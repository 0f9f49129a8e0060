import styles from "./names-page.module.css"

const height = 22
const step = 10
const bar = 7

/** Counts of days as bars, the last one today's; and what they say in words. */
export function Trend({ days }: { days: readonly number[] }) {
  const most = Math.max(...days, 0)
  if (most === 0) return <span className={styles.quiet}>None</span>
  const sum = days.reduce((total, count) => total + count, 0)
  const today = days.at(-1) ?? 0
  const said = `${sum.toLocaleString("en")} in ${days.length} days, ${today.toLocaleString("en")} today`
  return (
    <span className={styles.trend}>
      <svg
        viewBox={`0 0 ${days.length * step} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={said}
        className={styles.bars}
      >
        <title>{said}</title>
        {days.map((count, at) => {
          // something that is there is seen, however little
          const size = count === 0 ? 1 : Math.max(3, (count / most) * height)
          return (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: a bar is the day at its place
              key={at}
              x={at * step}
              y={height - size}
              width={bar}
              height={size}
              rx={1.5}
              data-none={count === 0 || undefined}
              data-today={at === days.length - 1 || undefined}
            />
          )
        })}
      </svg>
      <span className={styles.sum}>{sum.toLocaleString("en")}</span>
    </span>
  )
}
