import "uplot/dist/uPlot.min.css"
import { useComputedColorScheme } from "@mantine/core"
import { type KeyboardEvent, type RefObject, useEffect, useRef } from "react"
import uPlot from "uplot"
import styles from "./chart.module.css"
import { axisWidth, type ChartData, numberText, shortText } from "./series.ts"

export interface PlotProps {
  data: ChartData
  /** The chart in a sentence, for those who do not see it. */
  summary: string
  /** The canvas, for an image of it. */
  canvas: RefObject<HTMLCanvasElement | null>
  /** The place of the day or hour under the pointer or chosen by keys; null for none. */
  at: number | null
  onAt(at: number | null): void
}

const height = 220

/** The curves. The arrow keys, Home and End choose a day or hour. */
export default function Plot({ data, summary, canvas, at, onAt }: PlotProps) {
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(null)
  const scheme = useComputedColorScheme()
  const notify = useRef(onAt)
  useEffect(() => {
    notify.current = onAt
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours of the style sheet change with the scheme
  useEffect(() => {
    const element = box.current
    if (!element) return
    const chart = new uPlot(
      optionsOf(element, data, (index) => notify.current(index)),
      valuesOf(data),
      element,
    )
    plot.current = chart
    canvas.current = chart.ctx.canvas
    const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      chart.destroy()
      plot.current = null
      canvas.current = null
    }
  }, [data, scheme, canvas])

  const choose = (event: KeyboardEvent) => {
    const last = data.points.length - 1
    const steps: Record<string, number> = {
      ArrowRight: at === null ? 0 : Math.min(at + 1, last),
      ArrowLeft: at === null ? last : Math.max(at - 1, 0),
      Home: 0,
      End: last,
    }
    const next = steps[event.key]
    const chart = plot.current
    if (next === undefined || !chart) return
    event.preventDefault()
    chart.setCursor({ left: chart.valToPos(next, "x"), top: 0 }, false)
    onAt(next)
  }

  return (
    <div
      ref={box}
      className={styles.plot}
      role="img"
      aria-label={summary}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys choose a point
      tabIndex={0}
      data-own-arrows
      onKeyDown={choose}
      onBlur={() => onAt(null)}
    />
  )
}

const valuesOf = ({ points, series }: ChartData): uPlot.AlignedData => [
  points.map((_, at) => at),
  ...series.map(({ values }) => [...values]),
]

function optionsOf(element: HTMLElement, data: ChartData, onAt: PlotProps["onAt"]): uPlot.Options {
  const { points, series } = data
  const style = getComputedStyle(element)
  const colour = (name: string) => style.getPropertyValue(`--chart-${name}`).trim()
  const axis = {
    stroke: colour("text"),
    font: `11px ${style.fontFamily}`,
    grid: { stroke: colour("line"), width: 1 },
    ticks: { show: false },
  }
  return {
    width: element.clientWidth || 600,
    height,
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false, points: { size: 7 } },
    scales: { x: { time: false }, y: { range: (_, __, most) => [0, Math.max(most * 1.08, 4)] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 64,
        values: (_, places) => places.map((at) => shortText(data, points[at])),
      },
      {
        ...axis,
        // uPlot asks before it has any
        size: (_, texts) => axisWidth(texts ?? []),
        values: (_, values) => values.map((one) => (Number.isInteger(one) ? numberText(one) : "")),
      },
    ],
    series: [
      {},
      ...series.map(({ label, tone }) => ({
        label,
        stroke: colour(tone),
        width: tone === "before" ? 1.5 : 2,
        ...(tone === "before" ? { dash: [4, 4] } : {}),
        ...(tone === "first" ? { fill: colour("area") } : {}),
        points: { show: points.length === 1 },
      })),
    ],
    hooks: { setCursor: [({ cursor }) => onAt(cursor.idx ?? null)] },
  }
}
