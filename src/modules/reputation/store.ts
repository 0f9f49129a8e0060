import { and, eq, isNotNull, like, not, type SQL, sql } from "drizzle-orm"
import type { Db } from "../../store/database.ts"
import { emailTable } from "../emails/index.ts"

/** Test addresses of SES, whose bounces and complaints are made to order (contract B9.4.1). */
const simulator = "%@simulator.amazonses.com"

const { projectId, to, sentAt, bouncedAt, complainedAt } = emailTable

/** Begin of a window; null is the beginning of time. */
type Since = number | null

/** Of the mails that were sent in the window, those that have a time in the column. */
const countOf = (since: Since, column: typeof sentAt | typeof bouncedAt | typeof complainedAt): SQL<number> =>
  since === null
    ? sql<number>`count(${column})`
    : sql<number>`count(CASE WHEN ${sentAt} >= ${since} THEN ${column} END)`

const columnsOf = <const Name extends string>(name: Name, since: Since) => ({
  [`${name}Total`]: countOf(since, sentAt).as(`${name}Total`),
  [`${name}Bounces`]: countOf(since, bouncedAt).as(`${name}Bounces`),
  [`${name}Complaints`]: countOf(since, complainedAt).as(`${name}Complaints`),
})

/** One row: the sent mails of a project in each window, with how many of them bounced and were complained of. */
export const countReports = (db: Db, project: string, { day, week }: { day: number; week: number }) =>
  db
    .select({ ...columnsOf("day", day), ...columnsOf("week", week), ...columnsOf("all", null) })
    .from(emailTable)
    .where(and(eq(projectId, project), isNotNull(sentAt), not(like(to, simulator))))

export type ReportCounts = Record<`${"day" | "week" | "all"}${"Total" | "Bounces" | "Complaints"}`, number>
