import type { Engine } from "../../engine.ts"
import type { Period } from "../../http/period.ts"
import type { ActivityActions } from "../activity/index.ts"
import { rateOf } from "../campaigns/index.ts"
import { isReservedName } from "../events/index.ts"
import { before, type Days, dateOf, daysOf, eachDay } from "./days.ts"
import { listSent, sumDomains, sumNames, sumStatuses } from "./store.ts"

export interface AnalyticsDeps {
  readonly activity: Pick<ActivityActions, "countDays">
}

const figures = {
  sent: "email.sent",
  delivered: "email.delivered",
  opened: "email.opened",
  machineOpened: "opened.machine",
  clicked: "email.clicked",
  bounced: "email.bounced",
  complained: "email.complaint",
} as const

type Figures = { -readonly [Name in keyof typeof figures]: number }
const names = Object.keys(figures) as (keyof Figures)[]
const none = (): Figures => ({
  sent: 0,
  delivered: 0,
  opened: 0,
  machineOpened: 0,
  clicked: 0,
  bounced: 0,
  complained: 0,
})

/** Whole percent of change; 100 when there was nothing before (contract B7.2.4). */
const trendOf = (now: number, then: number): number => (then === 0 ? 100 : Math.round(((now - then) / then) * 100))

function sumOf(byDay: ReadonlyMap<number, Figures>): Figures {
  const sum = none()
  for (const row of byDay.values()) for (const name of names) sum[name] += row[name]
  return sum
}

/** Figures over days (contract B7.2), read from counts that triggers update: the cost does not grow with the mails. */
export function createAnalyticsActions({ store, clock }: Pick<Engine, "store" | "clock">, { activity }: AnalyticsDeps) {
  const daysIn = (period: Period): Days => daysOf(period, clock.now())

  /** The figures of each day. */
  async function figuresOf(projectId: string, days: Days): Promise<Map<number, Figures>> {
    const byDay = new Map(eachDay(days).map((day) => [day, none()]))
    const nameOf = new Map<string, keyof Figures>(names.map((name) => [figures[name], name]))
    for (const { day, kind, count } of await activity.countDays(store.read, projectId, Object.values(figures), days)) {
      const [row, name] = [byDay.get(day), nameOf.get(kind)]
      if (row && name) row[name] = count
    }
    return byDay
  }

  return {
    /** Contract B7.2.1. */
    async timeseries(projectId: string, period: Period) {
      const byDay = await figuresOf(projectId, daysIn(period))
      return Array.from(byDay, ([day, row]) => ({
        date: dateOf(day),
        emails: row.sent,
        delivered: row.delivered,
        opens: row.opened,
        clicks: row.clicked,
        bounces: row.bounced,
      }))
    },

    /** The sums of a span and of the span before, and the days of the first (ours, contract B7.2.5). */
    async overview(projectId: string, period: Period) {
      const days = daysIn(period)
      const byDay = await figuresOf(projectId, days)
      return {
        startDate: dateOf(days.from),
        endDate: dateOf(days.to - 1),
        current: sumOf(byDay),
        previous: sumOf(await figuresOf(projectId, before(days))),
        days: Array.from(byDay, ([day, row]) => ({ date: dateOf(day), ...row })),
      }
    },

    /** Contract B7.2.2. */
    async topCampaigns(projectId: string, period: Period, limit: number) {
      const rows = (await listSent(store.read, projectId, daysIn(period))).map(
        ({ sent, opened, clicked, ...shown }) => ({
          ...shown,
          sentCount: sent,
          openedCount: opened,
          clickedCount: clicked,
          openRate: rateOf(opened, sent),
          clickRate: rateOf(clicked, sent),
        }),
      )
      return rows
        .sort(
          (one, other) =>
            other.openRate - one.openRate || other.sentCount - one.sentCount || (one.id < other.id ? 1 : -1),
        )
        .slice(0, limit)
    },

    /** Contract B7.2.3. */
    async campaignStats(projectId: string, period: Period) {
      const rows = await sumStatuses(store.read, projectId, daysIn(period))
      const sum = (name: "count" | "sent" | "opened" | "clicked", of?: readonly string[]) =>
        rows.reduce((total, row) => total + (of === undefined || of.includes(row.status) ? row[name] : 0), 0)
      return {
        total: sum("count"),
        active: sum("count", ["DRAFT", "SCHEDULED", "SENDING"]),
        completed: sum("count", ["SENT"]),
        averageOpenRate: rateOf(sum("opened"), sum("sent")),
        averageClickRate: rateOf(sum("clicked"), sum("sent")),
      }
    },

    /** Contract B7.2.4. */
    async topEvents(projectId: string, period: Period, limit: number) {
      const days = daysIn(period)
      const [now, then] = [
        await store.readPool.read(projectId, (db) => sumNames(db, projectId, days)),
        await store.readPool.read(projectId, (db) => sumNames(db, projectId, before(days))),
      ]
      const earlier = new Map(then.map(({ name, count }) => [name, count]))
      return now
        .filter(({ name, count }) => count > 0 && !isReservedName(name))
        .sort((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1))
        .slice(0, limit)
        .map(({ name, count }) => ({ name, count, trend: trendOf(count, earlier.get(name) ?? 0) }))
    },

    /** The outcomes of the mails sent in a span, by the domain of the recipient (ours, contract B7.2.6). */
    async domains(projectId: string, period: Period, limit: number) {
      const days = daysIn(period)
      const rows = await store.readPool.read(projectId, (db) => sumDomains(db, projectId, days, limit))
      return rows.map(({ domain, sent, delivered, opened, clicked, bounced, complained }) => ({
        domain,
        sentCount: sent,
        deliveredCount: delivered,
        openedCount: opened,
        clickedCount: clicked,
        bouncedCount: bounced,
        complainedCount: complained,
        deliveryRate: rateOf(delivered, sent),
        openRate: rateOf(opened, sent),
        clickRate: rateOf(clicked, sent),
        bounceRate: rateOf(bounced, sent),
        complaintRate: rateOf(complained, sent),
      }))
    },
  }
}

export type Analytics = ReturnType<typeof createAnalyticsActions>
