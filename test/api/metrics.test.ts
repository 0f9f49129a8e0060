import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { sql } from "drizzle-orm"
import packageJson from "../../package.json" with { type: "json" }
import { startTestApp, type TestApp } from "../harness/app.ts"
import { type PrometheusFamily, parseOpenMetrics, parsePrometheus } from "../harness/prometheus.ts"

const anyone = { key: "none" } as const

async function metricsOf(it: TestApp): Promise<Map<string, PrometheusFamily>> {
  const response = await it.app.fetch(new Request("http://localhost/metrics"), "127.0.0.1")
  expect(response.status).toBe(200)
  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8")
  return parsePrometheus(await response.text())
}

const figureOf = (families: Map<string, PrometheusFamily>, name: string, labels: Record<string, string> = {}) =>
  families
    .get(name)
    ?.samples.find((sample) => Object.entries(labels).every(([key, value]) => sample.labels[key] === value))?.value

const seriesIn = (families: Map<string, PrometheusFamily>) =>
  families.values().reduce((sum, { samples }) => sum + samples.length, 0)

describe("GET /metrics (contract A8.4)", () => {
  let it: TestApp
  beforeAll(async () => {
    it = await startTestApp()
  })
  afterAll(() => it.close())

  test.each(["text/plain", "application/openmetrics-text"])("HEAD has the length of %s", async (accept) => {
    const { headers } = await it.api("HEAD /metrics", { ...anyone, headers: { accept } })
    expect(Number(headers.get("content-length"))).toBeGreaterThan(1000)
  })

  test("has the named series, with their labels", async () => {
    await it.api("POST /v1/track", { body: { email: "ada@acme.test", event: "signup" } })
    const families = await metricsOf(it)
    expect(families.get("mailstead_build_info")?.samples).toEqual([
      { name: "mailstead_build_info", labels: { version: packageJson.version }, value: 1 },
    ])
    const track = { method: "POST", route: "/v1/track", status: "200" }
    expect(families.get("mailstead_http_requests_total")?.samples).toContainEqual({
      name: "mailstead_http_requests_total",
      labels: track,
      value: 1,
    })
    expect(families.get("mailstead_jobs_pending")?.samples).toEqual([
      { name: "mailstead_jobs_pending", labels: {}, value: expect.any(Number) },
    ])
    expect(figureOf(families, "mailstead_emails", { status: "PENDING" })).toBe(0)
    expect(figureOf(families, "mailstead_db_units_total")).toBeGreaterThan(0)
  })

  test.each([
    ["application/openmetrics-text", true],
    [
      "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;q=0.5",
      true,
    ],
    ["text/plain;version=0.0.4, application/openmetrics-text;q=0.3", false],
    ["application/openmetrics-text;q=0", false],
    ["*/*", false],
  ])("answers OpenMetrics to a client that asks for it: %s", async (accept, isOpenMetrics) => {
    const response = await it.app.fetch(new Request("http://localhost/metrics", { headers: { accept } }), "127.0.0.1")
    const [type, text] = [response.headers.get("content-type"), await response.text()]
    expect(type).toStartWith(
      isOpenMetrics ? "application/openmetrics-text; version=1.0.0;" : "text/plain; version=0.0.4;",
    )
    expect(response.headers.get("vary")).toContain("Accept")
    const families = isOpenMetrics ? parseOpenMetrics(text) : parsePrometheus(text)
    expect(families.has("mailstead_http_requests_total")).toBe(true)
  })

  test("counts mails by their present status, through sending, reports and deletion", async () => {
    const status = async (name: string) => figureOf(await metricsOf(it), "mailstead_emails", { status: name })
    const send = (to: string) =>
      it.api("POST /v1/send", { body: { to, from: "hi@acme.test", subject: "Hi", body: "<p>Hi</p>" } })
    await send("one@example.com")
    await send("two@example.com")
    expect(await status("PENDING")).toBe(2)
    expect(figureOf(await metricsOf(it), "mailstead_queue_messages", { lane: "transactional" })).toBe(2)
    await it.clock.advance(90_000)
    expect(figureOf(await metricsOf(it), "mailstead_queue_age_seconds", { lane: "transactional" })).toBe(90)
    await it.settle()
    expect([await status("PENDING"), await status("SENDING"), await status("SENT")]).toEqual([0, 0, 2])
    const rows = await it.app.store.read.all<{ status: string; n: number }>(
      sql`SELECT status, count(*) AS n FROM email GROUP BY status`,
    )
    for (const { status: name, n } of rows) expect(await status(name)).toBe(n)
    await it.app.store.write("instance", async (unit) => void (await unit.db.run(sql`DELETE FROM email`)))
    expect(await status("SENT")).toBe(0)
    const waits = (await metricsOf(it)).get("mailstead_delivery_wait_seconds")?.samples
    const waited = waits?.filter(({ name }) => name.endsWith("_count"))
    expect(waited?.map(({ labels, value }) => [labels.lane, value])).toEqual([
      ["transactional", 2],
      ["workflow", 0],
      ["bulk", 0],
    ])
  })

  test("10,000 unknown paths add no series", async () => {
    await it.api("GET /unknown", anyone)
    const before = seriesIn(await metricsOf(it))
    for (let at = 0; at < 10_000; at++)
      await it.app.fetch(new Request(`http://localhost/${at}/${"x".repeat(at % 30)}?q=${at}`), "127.0.0.1")
    const after = await metricsOf(it)
    expect(seriesIn(after)).toBe(before)
    expect(figureOf(after, "mailstead_http_requests_total", { route: "unmatched", status: "404" })).toBe(10_001)
  })

  test.each([
    ["GET", "/contacts/0199c0de-0000-7000-8000-000000000001", "/contacts/:id", "401"],
    ["GET", "/contacts/", "/contacts", "401"],
    ["GET", "/health", "/health", "200"],
    ["GET", "/", "/", "302"],
    ["PUT", "/health", "unmatched", "404"],
    ["OPTIONS", "/v1/track", "unmatched", "200"],
    ["GET", "/t/o/abcdef", "/t/o/:file", "200"],
  ])("labels %s %s with %s", async (method, path, route, status) => {
    const labels = { method, route, status }
    const before = figureOf(await metricsOf(it), "mailstead_http_requests_total", labels) ?? 0
    await it.app.fetch(new Request(`http://localhost${path}`, { method }), "127.0.0.1")
    expect(figureOf(await metricsOf(it), "mailstead_http_requests_total", labels)).toBe(before + 1)
  })

  test("is for anyone without a token, whatever the credentials", async () => {
    for (const key of ["none", "sk", "sk_wrong"])
      expect((await it.api("GET /metrics", { key: key as "none" })).status).toBe(200)
  })
})

test("with metrics.token, GET /metrics is for its bearer only (contract A8.4)", async () => {
  const it = await startTestApp({ settings: { "metrics.token": "a long token" } })
  const ask = async (authorization?: string) => {
    const headers = authorization === undefined ? {} : { Authorization: authorization }
    return it.app.fetch(new Request("http://localhost/metrics", { headers }), "127.0.0.1")
  }
  for (const right of ["Bearer a long token", "bearer a long token"]) expect((await ask(right)).status).toBe(200)
  for (const wrong of [
    undefined,
    "",
    "Bearer",
    "a long token",
    "Bearer a long toke",
    "Bearer a long token!",
    "Basic a long token",
    `Bearer ${it.project.secret}`,
    `Bearer ${"x".repeat(5_000)}`,
  ]) {
    const response = await ask(wrong)
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ success: false, error: { code: "UNAUTHORIZED", statusCode: 401 } })
  }
  await it.close()
})
