/** One sample of the text format: its name with suffix, its labels, its value. */
interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface PrometheusFamily {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly samples: readonly Sample[]
}

const nameForm = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const valueForm = /^(?:[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?|NaN|[+-]Inf)$/i

/**
 * Reads the text exposition format 0.0.4, and throws at whatever a strict reader refuses: wrong names, values or escapes,
 * a family without HELP and TYPE or in two places, the same series twice, and a histogram that does not add up.
 */
export function parsePrometheus(text: string): Map<string, PrometheusFamily> {
  const families = new Map<string, PrometheusFamily & { samples: Sample[] }>()
  if (!text.endsWith("\n")) throw new Error("The last line has no end.")
  let present: (PrometheusFamily & { samples: Sample[] }) | undefined
  let help: { name: string; text: string } | undefined
  for (const line of text.slice(0, -1).split("\n")) {
    const [, keyword, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? []
    if (keyword === "HELP") help = { name, text: rest }
    else if (keyword === "TYPE") {
      if (families.has(name)) throw new Error(`${name} is in two places.`)
      if (help?.name !== name) throw new Error(`${name} has no HELP before its TYPE.`)
      if (!nameForm.test(name)) throw new Error(`${name} is no name.`)
      if (!["counter", "gauge", "histogram"].includes(rest)) throw new Error(`${rest} is no type.`)
      if ((rest === "counter") !== name.endsWith("_total")) throw new Error(`${name} is a ${rest}.`)
      present = { name, help: help.text, type: rest, samples: [] }
      families.set(name, present)
    } else {
      const sample = parseSample(line)
      const suffix =
        present && sample.name.startsWith(present.name) ? sample.name.slice(present.name.length) : undefined
      const suffixes = present?.type === "histogram" ? ["_bucket", "_sum", "_count"] : [""]
      if (suffix === undefined || !suffixes.includes(suffix)) throw new Error(`${line} is in no family.`)
      present?.samples.push(sample)
    }
  }
  for (const family of families.values()) checkFamily(family)
  return families
}

/**
 * Reads OpenMetrics 1.0, and throws at whatever a strict reader refuses. Counters are found by the names of their samples,
 * as in the other format.
 */
export function parseOpenMetrics(text: string): Map<string, PrometheusFamily> {
  const [body = "", ...more] = text.split("# EOF\n")
  if (more.length !== 1 || more[0] !== "") throw new Error("The end is not marked, or not the end.")
  if (/\ble="(?!\+Inf")(?!\d+\.\d+(?:e[+-]?\d+)?")/.test(body)) throw new Error("A bound is no fraction.")
  const counters = new Set(body.match(/^# TYPE \S+ counter$/gm)?.map((line) => line.split(" ")[2]))
  const lines = body.split("\n").map((line) => {
    const [, keyword, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? []
    if (keyword === undefined) return line
    if (name.endsWith("_total")) throw new Error(`${name} has the suffix of a sample.`)
    const help = keyword === "HELP" && /(?<!\\)(?:\\\\)*"/.test(rest)
    if (help) throw new Error(`A quote in the help of ${name} is not escaped.`)
    return `# ${keyword} ${counters.has(name) ? `${name}_total` : name} ${rest}`
  })
  return parsePrometheus(lines.join("\n"))
}

function parseSample(line: string): Sample {
  const [, name = "", inner, value = ""] = /^([^\s{]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
  if (!nameForm.test(name)) throw new Error(`${line} is no sample.`)
  if (!valueForm.test(value)) throw new Error(`${value} is no value.`)
  return {
    name,
    labels: inner === undefined ? {} : parseLabels(inner),
    value: Number(value.replace("Inf", "Infinity")),
  }
}

function parseLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {}
  const pair = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)/y
  while (pair.lastIndex < text.length) {
    const at = pair.lastIndex
    const [, name, value = ""] = pair.exec(text) ?? []
    if (name === undefined) throw new Error(`These are no labels: ${text.slice(at)}`)
    if (Object.hasOwn(labels, name)) throw new Error(`${name} is given twice.`)
    labels[name] = value.replace(/\\([\\"n])/g, (_, escaped) => (escaped === "n" ? "\n" : escaped))
  }
  return labels
}

function checkFamily({ name, help, type, samples }: PrometheusFamily): void {
  if (help === "") throw new Error(`${name} has no help.`)
  const keys = samples.map(({ name, labels }) => JSON.stringify([name, Object.entries(labels).toSorted()]))
  if (new Set(keys).size !== keys.length) throw new Error(`${name} has a series twice.`)
  if (type === "counter" && samples.some(({ value }) => !(value >= 0))) throw new Error(`${name} is below 0.`)
  if (type !== "histogram") return
  const series = Object.groupBy(samples, ({ labels: { le: _, ...rest } }) =>
    JSON.stringify(Object.entries(rest).toSorted()),
  )
  for (const all of Object.values(series)) {
    const buckets = (all ?? []).filter((sample) => sample.name === `${name}_bucket`)
    const bounds = buckets.map(({ labels }) => Number((labels.le ?? "").replace("Inf", "Infinity")))
    const counts = buckets.map(({ value }) => value)
    const isRising = (values: number[]) => values.every((value, at) => at === 0 || value >= (values[at - 1] ?? 0))
    const total = all?.find((sample) => sample.name === `${name}_count`)?.value
    const isWhole = bounds.at(-1) === Number.POSITIVE_INFINITY && counts.at(-1) === total
    if (!isWhole || !isRising(bounds) || !isRising(counts)) throw new Error(`${name} does not add up.`)
    if (!all?.some((sample) => sample.name === `${name}_sum`)) throw new Error(`${name} has no sum.`)
  }
}
