import { Button, Skeleton } from "@mantine/core"
import { type ReactNode, useRef, useState } from "react"
import { lazy } from "../../ui/on-demand.tsx"
import { ScrollRegion } from "../../ui/scroll-region.tsx"
import styles from "./chart.module.css"
import type { PlotProps } from "./plot.tsx"
import { type ChartData, csvOf, fullDayText, numberText } from "./series.ts"

const Plot = lazy<PlotProps>(
  () => import("./plot.tsx"),
  () => <Skeleton height={220} />,
)

interface ChartProps {
  title: string
  data: ChartData
  /** The name of exported files, without extension. */
  file: string
  /** Beside the title. */
  children?: ReactNode
}

/** Curves over days, with the figures of the chosen day, as a table, and as files. */
export function Chart({ title, data, file, children }: ChartProps) {
  const [at, setAt] = useState<number | null>(null)
  const [isTable, setIsTable] = useState(false)
  const canvas = useRef<HTMLCanvasElement>(null)
  const date = at === null ? undefined : data.dates[at]
  const saveImage = () => canvas.current?.toBlob((blob) => blob && save(blob, `${file}.png`))
  return (
    <section className={styles.chart} aria-label={title}>
      <header className={styles.head}>
        <h2 className={styles.title}>{title}</h2>
        {children}
      </header>
      <ul className={styles.legend}>
        {data.series.map(({ label, tone, values }) => (
          <li key={label} data-tone={tone}>
            {label}
            {at !== null && <strong>{numberText(values[at] ?? 0)}</strong>}
          </li>
        ))}
      </ul>
      <p className={styles.day} aria-live="polite">
        {date === undefined ? "" : fullDayText(date)}
      </p>
      {isTable ? <Table data={data} label={title} /> : <Plot data={data} canvas={canvas} at={at} onAt={setAt} />}
      <footer className={styles.foot}>
        <Button variant="subtle" color="gray" size="compact-xs" onClick={() => setIsTable(!isTable)}>
          {isTable ? "As a chart" : "As a table"}
        </Button>
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          onClick={() => save(new Blob([csvOf(data)], { type: "text/csv" }), `${file}.csv`)}
        >
          CSV
        </Button>
        {!isTable && (
          <Button variant="subtle" color="gray" size="compact-xs" onClick={saveImage}>
            PNG
          </Button>
        )}
      </footer>
    </section>
  )
}

function save(content: Blob, name: string): void {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

/** The newest day first. */
function Table({ data: { dates, series }, label }: { data: ChartData; label: string }) {
  return (
    <ScrollRegion className={styles.rows} label={`${label}, as a table`}>
      <table>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {series.map((one) => (
              <th key={one.label} scope="col">
                {one.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {dates
            .map((date, at) => (
              <tr key={date}>
                <th scope="row">{fullDayText(date)}</th>
                {series.map(({ label: name, values }) => (
                  <td key={name}>{numberText(values[at] ?? 0)}</td>
                ))}
              </tr>
            ))
            .reverse()}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
