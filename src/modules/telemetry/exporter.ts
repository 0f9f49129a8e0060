import type { Engine } from "../../engine.ts"
import { callApi } from "../../kernel/api-call.ts"
import { isWithin, minute, second } from "../../kernel/clock.ts"
import type { RecordedSpan, Tracer } from "../../kernel/tracer.ts"
import { metricsBody, tracesBody } from "./otlp.ts"

/** Spans of one request, so that its body stays below a few megabytes. */
const batchSize = 2_000
const timeoutMs = 10 * second
const metricsEveryMs = minute

const signals = ["traces", "metrics"] as const
type Signal = (typeof signals)[number]

interface ExporterDeps {
  readonly tracer: Tracer
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Sends spans and metrics to a collector by OTLP over HTTP. What it does not take is dropped and counted: nothing waits for
 * a collector.
 */
export function createExporter(
  { metrics, realClock, log }: Pick<Engine, "metrics" | "realClock" | "log">,
  { tracer, endpoint, headers }: ExporterDeps,
) {
  const dropped = metrics.counter(
    "mailstead_otel_dropped_total",
    "Spans, and collections of metrics, that the collector did not get.",
    ["signal"],
  )
  for (const signal of signals) dropped.of(signal)
  const startedAt = realClock.now()
  let metricsAt = startedAt
  const refused = new Set<Signal>()

  /** Resolves to whether the collector takes it. One of traces, such as Jaeger, may not know metrics. */
  async function post(signal: Signal, body: unknown, abort: AbortSignal): Promise<boolean> {
    const request = {
      method: "POST" as const,
      url: `${endpoint}/v1/${signal}`,
      headers: { ...headers, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }
    const answer = await callApi(request, { timeoutMs, abort })
    const isTaken = answer.kind === "answered" && answer.status >= 200 && answer.status < 300
    if (isTaken && refused.delete(signal)) log.info(`The collector takes ${signal} again`)
    if (!isTaken && !refused.has(signal)) {
      refused.add(signal)
      log.warn(`The collector does not take ${signal}; they are dropped`, {
        reason: answer.kind === "answered" ? `status ${answer.status}` : answer.reason,
      })
    }
    return isTaken
  }

  async function sendSpans(spans: readonly RecordedSpan[], abort: AbortSignal): Promise<void> {
    dropped.of("traces").add(tracer.takeDropped())
    for (let at = 0; at < spans.length; at += batchSize) {
      const batch = spans.slice(at, at + batchSize)
      if (!(await post("traces", tracesBody(batch), abort))) dropped.of("traces").add(batch.length)
    }
  }

  async function sendMetrics(abort: AbortSignal): Promise<void> {
    const body = metricsBody(await metrics.collect(), startedAt, realClock.now())
    if (!(await post("metrics", body, abort))) dropped.of("metrics").add()
  }

  /** Sends pending spans, and the metrics once a minute and at the end. */
  return async function send(abort: AbortSignal, isLast = false): Promise<void> {
    await sendSpans(tracer.take(), abort)
    if (!isLast && isWithin(metricsEveryMs, realClock.now(), metricsAt)) return
    metricsAt = realClock.now()
    await sendMetrics(abort)
  }
}
