import styles from "./names-page.module.css"

const height = 22
const step = 10
const bar = 7

/** Daily counts as bars, today's last; with a text for screen readers. */
export function Trend({ days }: { days: readonly number[] | null }) {
  if (days === null) return <span className={styles.quiet}>Not known</span>
  const most = Math.max(...days, 0)
  if (most === 0) return <span className={styles.quiet}>None</span>
  const sum = days.reduce((total, count) => total + count, 0)
  const today = days.at(-1) ?? 0
  const label = `${sum.toLocaleString("en")} in ${days.length} days, ${today.toLocaleString("en")} today`
  return (
    <span className={styles.trend}>
      <svg
        viewBox={`0 0 ${days.length * step} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
        className={styles.bars}
      >
        <title>{label}</title>
        {days.map((count, at) => {
          // a small count is still visible
          const size = count === 0 ? 1 : Math.max(3, (count / most) * height)
          return (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: the index of a bar is its day
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
