import { type Collected, type CollectedSeries, Histogram } from "./metrics.ts"

/** The media type of the text below. */
export const metricsType = "text/plain; version=0.0.4; charset=utf-8"

/** The text exposition format of Prometheus, version 0.0.4. */
export const metricsText = (families: readonly Collected[]): string =>
  families
    .map(({ name, help, type, labels, series }) =>
      [
        `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}`,
        `# TYPE ${name} ${type}`,
        ...series.flatMap((one) => linesOf(name, labels, one)),
        "",
      ].join("\n"),
    )
    .join("")

function linesOf(name: string, names: readonly string[], { labels, value }: CollectedSeries): string[] {
  const pairs = names.map((label, at) => `${label}="${escaped(labels[at] ?? "")}"`)
  if (!(value instanceof Histogram)) return [`${name}${braced(pairs)} ${shown(value)}`]
  let below = 0
  const buckets = Array.from(value.counts, (count, at) => {
    below += count
    const bound = value.bounds[at] ?? Number.POSITIVE_INFINITY
    return `${name}_bucket${braced([...pairs, `le="${shown(bound)}"`])} ${below}`
  })
  return [...buckets, `${name}_sum${braced(pairs)} ${shown(value.sum)}`, `${name}_count${braced(pairs)} ${below}`]
}

const braced = (pairs: readonly string[]): string => (pairs.length === 0 ? "" : `{${pairs.join(",")}}`)

const escaped = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")

const shown = (value: number): string => {
  if (Number.isFinite(value)) return String(value)
  return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf"
}
