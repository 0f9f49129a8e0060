import { type Collected, type CollectedSeries, Histogram } from "./metrics.ts"

/** A text form of metrics. */
interface MetricsFormat {
  readonly mediaType: string
  write(families: readonly Collected[]): string
}

/** The text exposition format of Prometheus, version 0.0.4. */
export const prometheusText: MetricsFormat = {
  mediaType: "text/plain; version=0.0.4; charset=utf-8",
  write: (families) =>
    families.map((family) => familyText(family, family.name, withoutLines(family.help), shown)).join(""),
}

/**
 * OpenMetrics 1.0: a counter is named without the suffix of its sample, quotes in a help are escaped too, bounds are
 * written as fractions, and the end is marked.
 */
export const openMetricsText: MetricsFormat = {
  mediaType: "application/openmetrics-text; version=1.0.0; charset=utf-8",
  write: (families) =>
    families
      .map((family) => {
        const name = family.type === "counter" ? family.name.replace(/_total$/, "") : family.name
        return familyText(family, name, escaped(family.help), fraction)
      })
      .concat("# EOF\n")
      .join(""),
}

const familyText = (
  { name, type, labels, series }: Collected,
  title: string,
  help: string,
  boundText: (bound: number) => string,
): string =>
  [
    `# HELP ${title} ${help}`,
    `# TYPE ${title} ${type}`,
    ...series.flatMap((one) => linesOf(name, labels, one, boundText)),
    "",
  ].join("\n")

function linesOf(
  name: string,
  names: readonly string[],
  { labels, value }: CollectedSeries,
  boundText: (bound: number) => string,
): string[] {
  const pairs = names.map((label, at) => `${label}="${escaped(labels[at] ?? "")}"`)
  if (!(value instanceof Histogram)) return [`${name}${braced(pairs)} ${shown(value)}`]
  let below = 0
  const buckets = Array.from(value.counts, (count, at) => {
    below += count
    const bound = value.bounds[at] ?? Number.POSITIVE_INFINITY
    return `${name}_bucket${braced([...pairs, `le="${boundText(bound)}"`])} ${below}`
  })
  return [...buckets, `${name}_sum${braced(pairs)} ${shown(value.sum)}`, `${name}_count${braced(pairs)} ${below}`]
}

const braced = (pairs: readonly string[]): string => (pairs.length === 0 ? "" : `{${pairs.join(",")}}`)

const withoutLines = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")

const escaped = (text: string): string => withoutLines(text).replaceAll('"', '\\"')

const shown = (value: number): string => {
  if (Number.isFinite(value)) return String(value)
  return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf"
}

const fraction = (value: number): string => (Number.isInteger(value) ? value.toFixed(1) : shown(value))
