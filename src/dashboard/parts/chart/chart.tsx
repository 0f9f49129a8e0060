import { Button, Skeleton } from "@mantine/core"
import { type ReactNode, useRef, useState } from "react"
import { afterFirstView } from "../../ui/first-sign.ts"
import { NumberTable } from "../../ui/number-table.tsx"
import { lazy } from "../../ui/on-demand.tsx"
import styles from "./chart.module.css"
import type { PlotProps } from "./plot.tsx"
import { type ChartData, csvOf, fullText, numberText, summaryOf } from "./series.ts"

const Plot = lazy<PlotProps>(
  () => import("./plot.tsx"),
  () => <Skeleton height={220} />,
)

/** For a page whose content is not the curves. */
const LatePlot = lazy<PlotProps>(
  () => afterFirstView().then(() => import("./plot.tsx")),
  () => <div className={styles.plot} />,
)

interface ChartProps {
  title: string
  data: ChartData
  /** The name of exported files, without extension. */
  file: string
  /** What it shows in a sentence; the sums by default. */
  summary?: string
  /** Its curves are loaded once the rest of the page is there. */
  late?: boolean
  /** Beside the title. */
  children?: ReactNode
}

/** Curves over time, with the figures of the chosen day or hour, as a table, and as files. */
export function Chart({ title, data, file, summary, late = false, children }: ChartProps) {
  const [at, setAt] = useState<number | null>(null)
  const [isTable, setIsTable] = useState(false)
  const Curves = late ? LatePlot : Plot
  const canvas = useRef<HTMLCanvasElement>(null)
  const point = at === null ? undefined : data.points[at]
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
      <p className={styles.said} aria-live="polite">
        {point === undefined
          ? (summary ?? (data.unit === "day" ? "Days are those of UTC." : undefined))
          : fullText(data, point)}
      </p>
      {isTable ? (
        <Table data={data} label={title} />
      ) : (
        <Curves data={data} summary={summary ?? summaryOf(data)} canvas={canvas} at={at} onAt={setAt} />
      )}
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

/** The newest first. */
function Table({ data, label }: { data: ChartData; label: string }) {
  const { points, unit, series } = data
  const columns = [unit === "day" ? "Day (UTC)" : "Hour from", ...series.map((one) => one.label)]
  return (
    <NumberTable label={`${label}, as a table`} columns={columns} low>
      {points
        .map((point, at) => (
          <tr key={point}>
            <th scope="row">{fullText(data, point)}</th>
            {series.map(({ label: name, values }) => (
              <td key={name}>{numberText(values[at] ?? 0)}</td>
            ))}
          </tr>
        ))
        .reverse()}
    </NumberTable>
  )
}
