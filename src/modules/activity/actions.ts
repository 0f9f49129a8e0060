import type { Engine } from "../../engine.ts"
import type { Period } from "../../http/period.ts"
import { day, minute } from "../../kernel/clock.ts"
import type { Db } from "../../store/database.ts"
import { rateOf } from "../campaigns/index.ts"
import { createFeed, defaultPeriodMs } from "./feed.ts"
import { figures, sources } from "./sources.ts"
import { sumDays } from "./tally.ts"
import { createTotals } from "./totals.ts"
import { listUpcoming } from "./upcoming.ts"

/** The kinds that are counted by the day. */
type DailyKind =
  | "email.sent"
  | "email.delivered"
  | "email.opened"
  | "email.clicked"
  | "email.bounced"
  | "email.complaint"
  | "opened.machine"

const counted = ["email.sent", "email.opened", "email.clicked", "workflow.started"]
const events = ["event.triggered", "contact.subscribed", "contact.unsubscribed"]
const inStats = [
  ...sources.filter(({ type }) => [...counted, ...events].includes(type)),
  figures.mailEvents,
  figures.sentOpened,
  figures.sentClicked,
]

/**
 * What happened in a project (contract B7.1), read from the records themselves. Only counts are stored for it, which
 * triggers update.
 */
export function createActivityActions(engine: Pick<Engine, "store" | "clock">) {
  const { store, clock } = engine
  const count = createTotals(engine)
  return {
    ...createFeed(engine, count),

    /** The figures of a period, of the last 30 days by default (contract B7.1.6). */
    async stats(projectId: string, { from = clock.now() - defaultPeriodMs, to }: Period) {
      const totals = await count(projectId, inStats, { from, to })
      const of = (type: string) => totals.get(type) ?? 0
      const sent = of("email.sent")
      return {
        totalEvents: [...events, figures.mailEvents.type].reduce((sum, type) => sum + of(type), 0),
        totalEmailsSent: sent,
        totalEmailsOpened: of("email.opened"),
        totalEmailsClicked: of("email.clicked"),
        totalWorkflowsStarted: of("workflow.started"),
        openRate: rateOf(of(figures.sentOpened.type), sent),
        clickRate: rateOf(of(figures.sentClicked.type), sent),
      }
    },

    /** How many items of the feed are at most that many minutes old (contract B7.1.7). */
    async countRecent(projectId: string, minutes: number): Promise<number> {
      const totals = await count(projectId, sources, { from: clock.now() - minutes * minute, to: undefined })
      return totals.values().reduce((sum, one) => sum + one, 0)
    },

    /** What is planned for the next days, soonest first (contract B7.1.9). */
    upcoming: (projectId: string, daysAhead: number, limit: number) =>
      listUpcoming(store.read, projectId, clock.now() + daysAhead * day, limit),

    /** How often each kind happened on each day, from one day to before another, counted from the epoch. */
    countDays: (db: Db, projectId: string, kinds: readonly DailyKind[], days: { from: number; to: number }) =>
      sumDays(db, projectId, kinds, days),
  }
}

export type ActivityActions = ReturnType<typeof createActivityActions>
