import { expect, onTestFinished, test } from "bun:test"
import { headersIn } from "../../src/kernel/header-list.ts"
import { createTracer, parentIn } from "../../src/kernel/tracer.ts"
import { appOfTest } from "../harness/app.ts"
import { parsePrometheus } from "../harness/prometheus.ts"
import { startSink } from "../harness/smtp-sink.ts"

interface Call {
  readonly path: string
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what is tested
  readonly body: any
}

/** A collector, and a server that sends to it. */
async function start() {
  const calls: Call[] = []
  /** What the collector answers; `refused` is a path that it does not know. */
  const state = { status: 200, refused: "" }
  const collector = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const text = await request.text()
      const path = new URL(request.url).pathname
      const status = path === state.refused ? 404 : state.status
      if (status === 200) calls.push({ path, headers: request.headers, body: JSON.parse(text) })
      return new Response("{}", { status })
    },
  })
  const relay = await startSink()
  const it = await appOfTest({
    realTransports: true,
    settings: {
      "otel.endpoint": `http://127.0.0.1:${collector.port}`,
      "otel.headers": "Authorization=Bearer%20abc, X-Scope=one",
      "mail.url": `smtp://127.0.0.1:${relay.port}`,
    },
  })
  onTestFinished(() => relay.stop())
  onTestFinished(() => collector.stop(true))
  const spans = () =>
    calls.flatMap(({ path, body }) => (path === "/v1/traces" ? body.resourceSpans[0].scopeSpans[0].spans : []))
  return { it, calls, state, relay, spans }
}

const attribute = (key: string, value: string | number) => ({
  key,
  value: typeof value === "string" ? { stringValue: value } : { intValue: String(value) },
})

test("a request and a delivery are spans, the first in the trace of its caller (contract A8.4)", async () => {
  const { it, calls, spans, relay } = await start()
  const [traceId, spanId] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"]
  await it.api("POST /v1/send", {
    body: { to: "ada@example.com", from: "hi@acme.test", subject: "Hi", body: "Hi" },
    headers: { traceparent: `00-${traceId}-${spanId}-01` },
  })
  await it.api("GET /contacts/unknown", { headers: { traceparent: `00-${traceId}-${spanId}-00` } })
  await it.settle()
  await it.settle()
  expect(relay.messages).toHaveLength(1)
  const now = `${BigInt(it.clock.now()) * 1_000_000n}`
  expect(spans()).toEqual([
    {
      traceId,
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
      parentSpanId: spanId,
      name: "POST /v1/send",
      kind: 2,
      startTimeUnixNano: expect.stringMatching(/^\d{19}$/),
      endTimeUnixNano: now,
      attributes: [
        attribute("http.request.method", "POST"),
        attribute("http.route", "/v1/send"),
        attribute("http.response.status_code", 200),
      ],
    },
    {
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
      name: "deliver",
      kind: 3,
      startTimeUnixNano: expect.stringMatching(/^\d{19}$/),
      endTimeUnixNano: now,
      attributes: [
        attribute("mailstead.transport", `smtp://127.0.0.1:${relay.port}`),
        attribute("mailstead.messages", 1),
      ],
    },
  ])
  expect(calls[0]?.headers.get("authorization")).toBe("Bearer abc")
  expect(calls[0]?.headers.get("x-scope")).toBe("one")
  expect(JSON.stringify(calls)).not.toMatch(/ada@|hi@acme|sk_/)
})

test("the metrics are those of GET /metrics, once a minute and at the end (contract A8.4)", async () => {
  const { it, calls } = await start()
  await it.api("GET /contacts")
  await it.advance({ seconds: 59 })
  const sent = () => calls.filter(({ path }) => path === "/v1/metrics")
  expect(sent()).toHaveLength(0)
  await it.advance({ seconds: 1 })
  expect(sent()).toHaveLength(1)
  const { metrics } = sent()[0]?.body.resourceMetrics[0].scopeMetrics[0] ?? {}
  const shown = await it.app.fetch(new Request("http://localhost/metrics"), "127.0.0.1")
  const families = parsePrometheus(await shown.text())
  expect(metrics.map(({ name }: { name: string }) => name)).toEqual([...families.keys()])
  for (const { name, sum, gauge, histogram } of metrics) {
    expect([name, [sum, gauge, histogram].filter(Boolean).length]).toEqual([name, 1])
    for (const point of histogram?.dataPoints ?? []) {
      expect(point.bucketCounts).toHaveLength(point.explicitBounds.length + 1)
      const total = point.bucketCounts.reduce((sum: number, count: string) => sum + Number(count), 0)
      expect(String(total)).toBe(point.count)
    }
  }
  const requests = metrics.find(({ name }: { name: string }) => name === "mailstead_http_requests_total").sum
  expect(requests).toMatchObject({ isMonotonic: true, aggregationTemporality: 2 })
  expect(requests.dataPoints[0]).toMatchObject({
    asDouble: 1,
    attributes: [
      { key: "method", value: { stringValue: "GET" } },
      { key: "route", value: { stringValue: "/contacts" } },
      { key: "status", value: { stringValue: "200" } },
    ],
  })
  await it.stop()
  expect(sent()).toHaveLength(2)
})

test("what a collector does not take is dropped and counted, and said once", async () => {
  const { it, state, spans } = await start()
  const dropped = async () => {
    const shown = await it.app.fetch(new Request("http://localhost/metrics"), "127.0.0.1")
    const samples = parsePrometheus(await shown.text()).get("mailstead_otel_dropped_total")?.samples
    return samples?.map(({ labels, value }) => [labels.signal, value])
  }
  state.status = 503
  for (let at = 0; at < 3; at++) {
    await it.api("GET /contacts")
    await it.settle()
  }
  expect(await dropped()).toEqual([
    ["traces", 3],
    ["metrics", 0],
  ])
  expect(it.complaints.map(({ message }) => message)).toEqual(["The collector does not take traces; they are dropped"])
  state.status = 200
  await it.api("GET /contacts")
  await it.settle()
  expect(spans().map(({ name }: { name: string }) => name)).toEqual(["GET /metrics", "GET /contacts"])
})

test("a collector of traces alone is said once not to take metrics", async () => {
  const { it, state, spans } = await start()
  state.refused = "/v1/metrics"
  for (let at = 0; at < 3; at++) {
    await it.api("GET /contacts")
    await it.advance({ minutes: 1 })
  }
  expect(spans().length).toBeGreaterThan(2)
  expect(it.complaints.map(({ message }) => message)).toEqual(["The collector does not take metrics; they are dropped"])
})

test("without otel.endpoint there is no tracer", async () => {
  const it = await appOfTest()
  expect(it.app.modules.find(({ name }) => name === "telemetry")?.worker).toBeUndefined()
})

test("more spans than may wait are dropped and counted", () => {
  const tracer = createTracer(2)
  const span = { name: "a", kind: "client", start: 0, end: 1, failed: false, attributes: {} } as const
  for (let at = 0; at < 5; at++) tracer.record(span)
  expect([tracer.take().length, tracer.takeDropped(), tracer.takeDropped(), tracer.take().length]).toEqual([2, 3, 0, 0])
})

const [trace, span] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"]
test.each<[string | null, boolean | undefined]>([
  [null, undefined],
  ["", undefined],
  [`00-${trace}-${span}-01`, true],
  [`00-${trace}-${span}-00`, false],
  [`cc-${trace}-${span}-09-what`, true],
  [`ff-${trace}-${span}-01`, undefined],
  [`00-${"0".repeat(32)}-${span}-01`, undefined],
  [`00-${trace}-${"0".repeat(16)}-01`, undefined],
  [`00-${trace.toUpperCase()}-${span}-01`, undefined],
  [`00-${trace}-${span}`, undefined],
])("traceparent %p is sampled: %p (W3C Trace Context, 3.2)", (header, isSampled) => {
  expect(parentIn(header)?.isSampled).toBe(isSampled)
})

test("headers of the collector are read as OTEL_EXPORTER_OTLP_HEADERS", () => {
  expect(headersIn("a=1,b=x%3Dy, c = d e,")).toEqual({ a: "1", b: "x=y", c: "d e" })
  for (const none of ["=no", "no", "bad name=1", "e=%0d%0aX: y"]) expect(headersIn(`a=1,${none}`)).toBe(undefined)
})
