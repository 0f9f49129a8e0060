/**
 * The mails of a time window with their bounces and complaints (contract B9.4.1). Rates are percentages with 4
 * decimals.
 */
interface Window {
  readonly total: number
  readonly bounces: number
  readonly complaints: number
  readonly bounceRate: number
  readonly complaintRate: number
}

export interface Windows {
  readonly twentyFourHour: Window
  readonly sevenDay: Window
  readonly allTime: Window
}

export const levels = ["healthy", "warning", "critical"] as const
type Level = (typeof levels)[number]

/** Contract B9.5. */
export interface SecurityReport {
  readonly status: Windows & {
    readonly projectId: string
    readonly isHealthy: boolean
    readonly shouldDisable: boolean
    readonly isNewProject: boolean
    readonly violations: readonly string[]
    readonly warnings: readonly string[]
  }
  readonly isDisabled: boolean
  readonly levels: Assessment["levels"]
  readonly limits: Assessment["limits"]
}

export const metrics = ["bounce", "complaint"] as const
export type Metric = (typeof metrics)[number]

/** A figure of a project beside its limits, in the unit of both (contract B9.5). */
interface LimitedFigure {
  readonly metric: Metric
  readonly window: keyof Windows
  readonly unit: (typeof units)[number]
  readonly value: number
  readonly warning: number
  readonly critical: number
  /** Of a rate, only once there are enough mails to tell. */
  readonly level: Level
}

export const units = ["percent", "count"] as const

interface Assessment {
  /** Everything that is measured, reached or not. */
  readonly limits: readonly LimitedFigure[]
  readonly levels: Record<"bounce7Day" | "bounceAllTime" | "complaint7Day" | "complaintAllTime", Level>
  /** Findings for which a project is disabled, and those that only warn, as sentences. */
  readonly violations: readonly string[]
  readonly warnings: readonly string[]
  /** The metrics whose findings disable the project. */
  readonly critical: ReadonlySet<Metric>
}

export function windowOf(total: number, bounces: number, complaints: number): Window {
  const rate = (count: number) => (total === 0 ? 0 : Math.round((count / total) * 1_000_000) / 10_000)
  return { total, bounces, complaints, bounceRate: rate(bounces), complaintRate: rate(complaints) }
}

/**
 * Contract B9.4.2: the least number of mails, and of bounces or complaints; the percentages of a warning and of a
 * critical finding.
 */
const leastTotal = 100
const minimum: Record<Metric, Record<"warning" | "critical", number>> = {
  bounce: { warning: 5, critical: 10 },
  complaint: { warning: 3, critical: 5 },
}
const thresholds: Record<Metric, Record<"sevenDay" | "allTime", Record<"warning" | "critical", number>>> = {
  bounce: { sevenDay: { warning: 5, critical: 10 }, allTime: { warning: 4, critical: 8 } },
  complaint: { sevenDay: { warning: 0.075, critical: 0.15 }, allTime: { warning: 0.03, critical: 0.12 } },
}
/** Contract B9.4.3: absolute limits for projects younger than 30 days. */
const ceilings: Record<Metric, Record<"twentyFourHour" | "sevenDay", Record<"warning" | "critical", number>>> = {
  bounce: { twentyFourHour: { warning: 10, critical: 25 }, sevenDay: { warning: 25, critical: 50 } },
  complaint: { twentyFourHour: { warning: 3, critical: 7 }, sevenDay: { warning: 10, critical: 20 } },
}

const spanNames = { twentyFourHour: "24 hours", sevenDay: "7 days", allTime: "all time" } as const
const degrees = ["critical", "warning"] as const
const countOf = (metric: Metric, window: Window) => (metric === "bounce" ? window.bounces : window.complaints)
const rateOf = (metric: Metric, window: Window) => (metric === "bounce" ? window.bounceRate : window.complaintRate)

function rateLevel(metric: Metric, span: "sevenDay" | "allTime", window: Window): Level {
  if (window.total < leastTotal) return "healthy"
  const reached = (degree: "warning" | "critical") =>
    countOf(metric, window) >= minimum[metric][degree] && rateOf(metric, window) >= thresholds[metric][span][degree]
  return degrees.find(reached) ?? "healthy"
}

function ceilingLevel(metric: Metric, span: "twentyFourHour" | "sevenDay", window: Window): Level {
  return degrees.find((degree) => countOf(metric, window) >= ceilings[metric][span][degree]) ?? "healthy"
}

/** The assessment of a project by its windows (contract B9.4, B9.5). Pure. */
export function assess(windows: Windows, isNew: boolean): Assessment {
  const found: Record<"warning" | "critical", string[]> = { warning: [], critical: [] }
  const critical = new Set<Metric>()
  const note = (metric: Metric, level: Level, sentence: string): Level => {
    if (level !== "healthy") found[level].push(sentence)
    if (level === "critical") critical.add(metric)
    return level
  }
  const byRate = (metric: Metric, span: "sevenDay" | "allTime"): Level => {
    const window = windows[span]
    const level = rateLevel(metric, span, window)
    const limit = level === "healthy" ? 0 : thresholds[metric][span][level]
    return note(
      metric,
      level,
      `${name(metric)} rate of ${spanNames[span]} is ${rateOf(metric, window)} % (limit ${limit} %).`,
    )
  }
  const reached = {
    bounce7Day: byRate("bounce", "sevenDay"),
    bounceAllTime: byRate("bounce", "allTime"),
    complaint7Day: byRate("complaint", "sevenDay"),
    complaintAllTime: byRate("complaint", "allTime"),
  }
  if (isNew)
    for (const metric of metrics)
      for (const span of newSpans) {
        const level = ceilingLevel(metric, span, windows[span])
        const limit = level === "healthy" ? 0 : ceilings[metric][span][level]
        note(
          metric,
          level,
          `${countOf(metric, windows[span])} ${metric}s in ${spanNames[span]} (a new project may have ${limit}).`,
        )
      }
  return {
    levels: reached,
    limits: limitsOf(windows, isNew),
    violations: found.critical,
    warnings: found.warning,
    critical,
  }
}

const newSpans = ["twentyFourHour", "sevenDay"] as const
const rateSpans = ["sevenDay", "allTime"] as const

function limitsOf(windows: Windows, isNew: boolean): LimitedFigure[] {
  return metrics.flatMap((metric) => [
    ...rateSpans.map((window) => ({
      ...{ metric, window, unit: "percent" as const, value: rateOf(metric, windows[window]) },
      ...thresholds[metric][window],
      level: rateLevel(metric, window, windows[window]),
    })),
    ...(isNew ? newSpans : []).map((window) => ({
      ...{ metric, window, unit: "count" as const, value: countOf(metric, windows[window]) },
      ...ceilings[metric][window],
      level: ceilingLevel(metric, window, windows[window]),
    })),
  ])
}

const name = (metric: Metric): string => (metric === "bounce" ? "Bounce" : "Complaint")
