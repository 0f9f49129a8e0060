import { buildInfo } from "../../kernel/build-info.ts"
import { type Collected, type CollectedSeries, Histogram } from "../../kernel/metrics.ts"
import type { Attributes, RecordedSpan } from "../../kernel/tracer.ts"

/* The JSON encoding of OTLP 1: numbers of 64 bits are text, ids hexadecimal, enumerations numbers. */

const attributesOf = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === "string" ? { stringValue: value } : { intValue: String(value) },
  }))

const resource = { attributes: attributesOf({ "service.name": "mailstead", "service.version": buildInfo.version }) }
const scope = { name: "mailstead", version: buildInfo.version }

/** Milliseconds as text of nanoseconds. */
const nanos = (ms: number): string => String(BigInt(Math.round(ms * 1_000)) * 1_000n)

const kinds = { server: 2, client: 3 } as const
const failed = { code: 2 }

export const tracesBody = (spans: readonly RecordedSpan[]) => ({
  resourceSpans: [
    {
      resource,
      scopeSpans: [
        {
          scope,
          spans: spans.map((span) => ({
            traceId: span.traceId,
            spanId: span.spanId,
            ...(span.parent && { parentSpanId: span.parent.spanId }),
            name: span.name,
            kind: kinds[span.kind],
            startTimeUnixNano: nanos(span.start),
            endTimeUnixNano: nanos(span.end),
            attributes: attributesOf(span.attributes),
            ...(span.failed && { status: failed }),
          })),
        },
      ],
    },
  ],
})

/** The sums begin with the process. */
const cumulative = 2

/** Figures of `now`, counted since `start`; both in ms. */
export function metricsBody(families: readonly Collected[], start: number, now: number) {
  const times = { startTimeUnixNano: nanos(start), timeUnixNano: nanos(now) }
  const metrics = families.map(({ name, help, type, labels, series }) => {
    const point = (one: CollectedSeries) => ({
      ...times,
      attributes: labels.map((key, at) => ({ key, value: { stringValue: one.labels[at] ?? "" } })),
      ...pointOf(one.value),
    })
    const dataPoints = series.map(point)
    const about = { name, description: help, ...unitOf(name) }
    if (type === "gauge") return { ...about, gauge: { dataPoints } }
    if (type === "histogram") return { ...about, histogram: { dataPoints, aggregationTemporality: cumulative } }
    return { ...about, sum: { dataPoints, isMonotonic: true, aggregationTemporality: cumulative } }
  })
  return { resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics }] }] }
}

function pointOf(value: CollectedSeries["value"]) {
  if (!(value instanceof Histogram)) return { asDouble: value }
  const count = value.counts.reduce((sum, each) => sum + each, 0)
  return {
    count: String(count),
    sum: value.sum,
    bucketCounts: Array.from(value.counts, String),
    explicitBounds: [...value.bounds],
  }
}

function unitOf(name: string): { unit?: string } {
  if (/_seconds(?:_total)?$/.test(name)) return { unit: "s" }
  return name.endsWith("_bytes") ? { unit: "By" } : {}
}
