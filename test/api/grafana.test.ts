import { expect, test } from "bun:test"
import dashboard from "../../config/grafana.json" with { type: "json" }
import { startTestApp } from "../harness/app.ts"
import { parsePrometheus } from "../harness/prometheus.ts"
import { startSink } from "../harness/smtp-sink.ts"

/** The names of families, and the labels that a query selects or groups by. */
function partsOf(query: string) {
  const names = [...query.matchAll(/\b((?:mailstead|process)_[a-z_]+)\b/g)].map(([, name = ""]) =>
    name.replace(/_(?:bucket|sum|count)$/, ""),
  )
  const grouped = [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(/,\s*/))
  return { names, labels: grouped }
}

test("the Grafana dashboard names only what is exported, and every family of it (contract A8.4)", async () => {
  const relay = await startSink()
  const it = await startTestApp({ realTransports: true, settings: { "mail.url": `smtp://127.0.0.1:${relay.port}` } })
  await it.api("POST /v1/send", { body: { to: "a@example.com", from: "hi@acme.test", subject: "Hi", body: "Hi" } })
  await it.settle()
  const response = await it.app.fetch(new Request("http://localhost/metrics"), "127.0.0.1")
  const families = parsePrometheus(await response.text())
  const used = new Set<string>()
  for (const { title, targets } of dashboard.panels)
    for (const { expr, legendFormat } of targets) {
      const { names, labels } = partsOf(expr)
      expect([title, names.length > 0]).toEqual([title, true])
      const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = ""]) => label)
      for (const name of names) {
        used.add(name)
        const own = new Set(families.get(name)?.samples.flatMap((sample) => Object.keys(sample.labels)))
        expect([title, name, families.has(name)]).toEqual([title, name, true])
        // Prometheus adds the instance.
        for (const label of [...labels, ...shown].filter((label) => label !== "instance"))
          expect([title, name, label, own.has(label)]).toEqual([title, name, label, true])
      }
    }
  expect([...families.keys()].filter((name) => !used.has(name))).toEqual([])
  await it.close()
  await relay.stop()
})
