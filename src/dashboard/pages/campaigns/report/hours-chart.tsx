import { fullTime } from "../../../ui/format.ts"
import { ScrollRegion } from "../../../ui/scroll-region.tsx"
import styles from "./engagement.module.css"
import { describeHours, type Hour, topOf } from "./hours.ts"

const height = 100
const step = 10

/** Opens and clicks of each hour as bars of one scale, and the same as a table. */
export function HoursChart({ hours }: { hours: readonly Hour[] }) {
  const top = topOf(hours)
  const busy = hours.map((hour, at) => ({ ...hour, at })).filter(({ opens, clicks }) => opens + clicks > 0)
  const said = describeHours(hours)
  return (
    <section className={styles.box} aria-labelledby="hours">
      <header>
        <h2 id="hours">The first 48 hours</h2>
        <ul className={styles.legend}>
          <li data-series="opens">Opens</li>
          <li data-series="clicks">Clicks</li>
        </ul>
      </header>
      <div className={styles.plot}>
        <span className={styles.scale} aria-hidden="true">
          <span>{top.toLocaleString("en")}</span>
          <span>{(top / 2).toLocaleString("en")}</span>
          <span>0</span>
        </span>
        <svg viewBox={`0 0 ${hours.length * step} ${height}`} preserveAspectRatio="none" role="img" aria-label={said}>
          <title>{said}</title>
          {hours.map(({ startsAt, opens, clicks }, at) => (
            <g key={startsAt}>
              <Bar series="opens" count={opens} top={top} x={at * step + 1} width={step - 2} />
              <Bar series="clicks" count={clicks} top={top} x={at * step + 3} width={step - 6} />
            </g>
          ))}
        </svg>
        <span className={styles.hours} aria-hidden="true">
          {["Start", "12 h", "24 h", "36 h", "48 h"].map((label) => (
            <span key={label}>{label}</span>
          ))}
        </span>
      </div>
      {busy.length === 0 ? (
        <p className={styles.none}>{said}</p>
      ) : (
        <details className={styles.details}>
          <summary>As a table</summary>
          <ScrollRegion className={styles.rows} label="Opens and clicks by hour">
            <table>
              <thead>
                <tr>
                  <th scope="col">Hour from</th>
                  <th scope="col">Opens</th>
                  <th scope="col">Clicks</th>
                </tr>
              </thead>
              <tbody>
                {busy.map(({ startsAt, opens, clicks, at }) => (
                  <tr key={at}>
                    <th scope="row">{fullTime(Date.parse(startsAt))}</th>
                    <td>{opens.toLocaleString("en")}</td>
                    <td>{clicks.toLocaleString("en")}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollRegion>
        </details>
      )}
    </section>
  )
}

interface BarProps {
  series: "opens" | "clicks"
  count: number
  top: number
  x: number
  width: number
}

/** Something that is there is seen, however little. */
function Bar({ series, count, top, x, width }: BarProps) {
  if (count === 0) return null
  const size = Math.max(1.5, (count / top) * height)
  return <rect data-series={series} x={x} y={height - size} width={width} height={size} />
}
