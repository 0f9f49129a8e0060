import { expect, test } from "bun:test"
import { createMetrics } from "../../src/kernel/metrics.ts"
import { openMetricsText, prometheusText } from "../../src/kernel/metrics-text.ts"
import { parseOpenMetrics, parsePrometheus } from "../harness/prometheus.ts"

const textOf = async (metrics: ReturnType<typeof createMetrics>) => prometheusText.write(await metrics.collect())

test("counters and gauges are written with their labels, escaped", async () => {
  const metrics = createMetrics()
  const seen = metrics.counter("seen_total", 'Help with a \\ and a\nline "end".', ["who", "status"])
  seen.of('a"b\\c\nd', 200).add()
  seen.of('a"b\\c\nd', 200).add(2.5)
  metrics.gauge("depth", "How deep.", [], () => [[-1e-7]])
  expect(await textOf(metrics)).toBe(
    `# HELP depth How deep.
# TYPE depth gauge
depth -1e-7
# HELP seen_total Help with a \\\\ and a\\nline "end".
# TYPE seen_total counter
seen_total{who="a\\"b\\\\c\\nd",status="200"} 3.5
`,
  )
  expect(parsePrometheus(await textOf(metrics)).get("seen_total")?.samples).toEqual([
    { name: "seen_total", labels: { who: 'a"b\\c\nd', status: "200" }, value: 3.5 },
  ])
})

test("a histogram counts an observation in its bucket and all larger ones, bounds included", async () => {
  const metrics = createMetrics()
  const times = metrics.histogram("took_seconds", "Time.", [0.1, 1], ["of"])
  for (const value of [0.05, 0.1, 0.5, 7]) times.of("x").observe(value)
  const samples = parsePrometheus(await textOf(metrics)).get("took_seconds")?.samples ?? []
  expect(samples.map(({ name, labels, value }) => [name, labels.le, value])).toEqual([
    ["took_seconds_bucket", "0.1", 2],
    ["took_seconds_bucket", "1", 3],
    ["took_seconds_bucket", "+Inf", 4],
    ["took_seconds_sum", undefined, 7.65],
    ["took_seconds_count", undefined, 4],
  ])
})

test("OpenMetrics names counters without their suffix, writes bounds as fractions, and marks its end", async () => {
  const metrics = createMetrics()
  metrics.counter("seen_total", 'Help with a \\ and a\nline "end".', ["who"]).of('a"b').add()
  metrics.histogram("took_seconds", "Time.", [0.5, 1]).of().observe(0.7)
  const text = openMetricsText.write(await metrics.collect())
  expect(text).toBe(
    `# HELP seen Help with a \\\\ and a\\nline \\"end\\".
# TYPE seen counter
seen_total{who="a\\"b"} 1
# HELP took_seconds Time.
# TYPE took_seconds histogram
took_seconds_bucket{le="0.5"} 0
took_seconds_bucket{le="1.0"} 1
took_seconds_bucket{le="+Inf"} 1
took_seconds_sum 0.7
took_seconds_count 1
# EOF
`,
  )
  expect([...parseOpenMetrics(text).keys()]).toEqual(["seen_total", "took_seconds"])
  expect(openMetricsText.write([])).toBe("# EOF\n")
})

test("a family that is registered twice is one, and a gauge that cannot be read is left out", async () => {
  const metrics = createMetrics()
  for (const by of [1, 2]) metrics.counter("seen_total", "Help.").of().add(by)
  metrics.gauge("broken", "Help.", [], () => Promise.reject(new Error("gone")))
  const families = parsePrometheus(await textOf(metrics))
  expect([...families.keys()]).toEqual(["seen_total"])
  expect(families.get("seen_total")?.samples[0]?.value).toBe(3)
})

test.each([
  ["no end", "# HELP a A\n# TYPE a gauge\na 1"],
  ["no type", "a 1\n"],
  ["a counter without _total", "# HELP a A\n# TYPE a counter\na 1\n"],
  ["a series twice", '# HELP a A\n# TYPE a gauge\na{b="1"} 1\na{b="1"} 2\n'],
  ["a bad escape", '# HELP a A\n# TYPE a gauge\na{b="\\t"} 1\n'],
  ["a bad value", "# HELP a A\n# TYPE a gauge\na 1x\n"],
  [
    "falling buckets",
    '# HELP a A\n# TYPE a histogram\na_bucket{le="1"} 2\na_bucket{le="+Inf"} 1\na_sum 1\na_count 1\n',
  ],
])("the parser of the tests refuses %s", (_, text) => {
  expect(() => parsePrometheus(text)).toThrow()
})
