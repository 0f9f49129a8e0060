import { and, eq, isNotNull, like, not, type SQL, sql } from "drizzle-orm"
import type { Db } from "../../store/database.ts"
import { emailTable } from "../emails/index.ts"

/** Test addresses of SES, whose bounces and complaints are simulated (contract B9.4.1). */
const simulator = "%@simulator.amazonses.com"

const { projectId, to, sentAt, bouncedAt, complainedAt } = emailTable

/** The begin of a window; null for no limit. */
type Since = number | null

/** The number of mails sent in the window that have a time in the column. */
const countOf = (since: Since, column: typeof sentAt | typeof bouncedAt | typeof complainedAt): SQL<number> =>
  since === null
    ? sql<number>`count(${column})`
    : sql<number>`count(CASE WHEN ${sentAt} >= ${since} THEN ${column} END)`

/** One row: the sent mails of a project in each window, with their bounces and complaints. */
export const countReports = (db: Db, project: string, { day, week }: { day: number; week: number }) =>
  db
    .select({
      dayTotal: countOf(day, sentAt).as("day_total"),
      dayBounces: countOf(day, bouncedAt).as("day_bounces"),
      dayComplaints: countOf(day, complainedAt).as("day_complaints"),
      weekTotal: countOf(week, sentAt).as("week_total"),
      weekBounces: countOf(week, bouncedAt).as("week_bounces"),
      weekComplaints: countOf(week, complainedAt).as("week_complaints"),
      allTotal: countOf(null, sentAt).as("all_total"),
      allBounces: countOf(null, bouncedAt).as("all_bounces"),
      allComplaints: countOf(null, complainedAt).as("all_complaints"),
    })
    .from(emailTable)
    .where(and(eq(projectId, project), isNotNull(sentAt), not(like(to, simulator))))
