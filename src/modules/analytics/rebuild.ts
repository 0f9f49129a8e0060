import { and, count, eq, gte, isNotNull, lt, max, min, or, sql } from "drizzle-orm"
import type { Engine } from "../../engine.ts"
import { day as dayMs } from "../../kernel/clock.ts"
import type { Db } from "../../store/database.ts"
import { domainOfAddress } from "../../store/dialect.ts"
import type { Unit } from "../../store/writer.ts"
import { deleteOutside, recountDay } from "../activity/index.ts"
import { emailTable } from "../emails/index.ts"
import { eventTable, isPlainEvent } from "../events/index.ts"
import type { Projects } from "../projects/index.ts"
import { executionTable } from "../workflows/index.ts"
import { type Days, eachDay } from "./days.ts"
import { domainDayTable, eventDayTable } from "./table.ts"

/** The days with anything to count; undefined without records. May read every mail and event of the project. */
async function daysWithin(db: Db, projectId: string): Promise<Days | undefined> {
  const { sentAt, deliveredAt, openedAt, clickedAt, bouncedAt, complainedAt, createdAt } = emailTable
  const ends: (number | null)[] = []
  for (const time of [sentAt, deliveredAt, openedAt, clickedAt, bouncedAt, complainedAt, createdAt]) {
    const query = db.select({ first: min(time), last: max(time) }).from(emailTable)
    for (const { first, last } of await query.where(eq(emailTable.projectId, projectId))) ends.push(first, last)
  }
  const query = db.select({ first: min(eventTable.createdAt), last: max(eventTable.createdAt) }).from(eventTable)
  for (const { first, last } of await query.where(eq(eventTable.projectId, projectId))) ends.push(first, last)
  const { startedAt, completedAt } = executionTable
  for (const time of [startedAt, completedAt]) {
    const query = db.select({ first: min(time), last: max(time) }).from(executionTable)
    for (const { first, last } of await query.where(eq(executionTable.projectId, projectId))) ends.push(first, last)
  }
  const days = ends.flatMap((time) => (time === null ? [] : [Math.floor(time / dayMs)]))
  return days.length === 0 ? undefined : { from: Math.min(...days), to: Math.max(...days) + 1 }
}

/** Drops the counts of days before the first known one, and of those after today. Resolves to the days between. */
async function deleteOther(unit: Unit, projectId: string, known: Days | undefined): Promise<Days> {
  // Rows may have been counted since the days were read, and the clock may have been set back.
  const today = Math.floor(unit.now / dayMs)
  const [from, to] = [Math.min(known?.from ?? today, today), Math.max(known?.to ?? 0, today + 1)]
  for (const table of [eventDayTable, domainDayTable])
    await unit.db.delete(table).where(and(eq(table.projectId, projectId), or(lt(table.day, from), gte(table.day, to))))
  await deleteOutside(unit, projectId, { from, to })
  return { from, to }
}

/** Counts the events and recipient domains of one day of a project again, and replaces their counts. */
async function recount(unit: Unit, projectId: string, day: number): Promise<void> {
  const { db } = unit
  await db.delete(eventDayTable).where(and(eq(eventDayTable.projectId, projectId), eq(eventDayTable.day, day)))
  await db.delete(domainDayTable).where(and(eq(domainDayTable.projectId, projectId), eq(domainDayTable.day, day)))
  const [from, to] = [day * dayMs, (day + 1) * dayMs]

  const { name, createdAt } = eventTable
  // Two conditions, each with an index that has the time.
  const isOfContact = sql`${name} IN ('contact.subscribed', 'contact.unsubscribed')`
  const names = []
  for (const is of [isPlainEvent, isOfContact])
    names.push(
      ...(await db
        .select({ name, count: count().as("count") })
        .from(eventTable)
        .where(and(eq(eventTable.projectId, projectId), gte(createdAt, from), lt(createdAt, to), is))
        .groupBy(name)),
    )
  for (const row of names) await db.insert(eventDayTable).values({ projectId, day, ...row })

  const { sentAt, deliveredAt, openedAt, clickedAt, bouncedAt, complainedAt } = emailTable
  const domain = domainOfAddress(emailTable.to)
  const domains = await db
    .select({
      domain: domain.as("domain"),
      sent: count(sentAt).as("sent"),
      delivered: count(deliveredAt).as("delivered"),
      opened: count(openedAt).as("opened"),
      clicked: count(clickedAt).as("clicked"),
      bounced: count(bouncedAt).as("bounced"),
      complained: count(complainedAt).as("complained"),
    })
    .from(emailTable)
    .where(and(eq(emailTable.projectId, projectId), isNotNull(sentAt), gte(sentAt, from), lt(sentAt, to)))
    .groupBy(domain)
  for (const row of domains) await db.insert(domainDayTable).values({ projectId, day, ...row })
}

/**
 * Makes all counts again from the records, one day of a project in each unit, so that others can write meanwhile.
 * Resolves to the number of days. The counts are exact without it: it is for a database that was changed by hand.
 */
export const createRebuild =
  ({ store }: Pick<Engine, "store">, { projects }: { readonly projects: Pick<Projects, "list"> }) =>
  async (): Promise<number> => {
    let rebuilt = 0
    for (const { id } of await projects.list()) {
      const known = await daysWithin(store.read, id)
      const days = await store.write(id, (unit) => deleteOther(unit, id, known))
      for (const day of eachDay(days)) {
        await store.write(id, async (unit) => {
          await recountDay(unit, id, day)
          await recount(unit, id, day)
        })
        rebuilt++
      }
    }
    return rebuilt
  }
