import { Cron } from "croner"
import { type Clock, earliest } from "../kernel/clock.ts"
import type { Db } from "../store/database.ts"
import { prepare } from "../store/prepare.ts"
import type { Store } from "../store/store.ts"
import type { Unit } from "../store/writer.ts"
import type { Recurring } from "./define.ts"
import { recurringTable } from "./table.ts"

/** Those of the modules, each parsed once: that takes four times as long as to find the next time. */
const schedules = new Map<string, Cron>()

function parsed(schedule: string): Cron {
  const known = schedules.get(schedule) ?? new Cron(schedule, { paused: true, utcOffset: 0 })
  schedules.set(schedule, known)
  return known
}

/**
 * When a schedule is next due after `now`. Croner only computes the time; waiting uses our clock. UTC is given as an
 * offset, because a time zone loads the calendars of the runtime, which takes tens of ms.
 */
export function nextRun(every: Recurring["every"], now: number): number {
  if (typeof every === "number") return now + every
  const next = parsed(every).nextRun(new Date(now))
  if (next === null) throw new Error(`The schedule "${every}" never comes.`)
  return next.getTime()
}

const listPlanned = prepare((db) => db.select().from(recurringTable))

/** When the next entry that depends on the time is due, in ms; undefined when there is none. */
export async function nextTimeOf(db: Db, table: readonly Recurring[]): Promise<number | undefined> {
  const dependent = new Set<string>()
  for (const { kind, dependsOnTime } of table) if (await dependsOnTime?.()) dependent.add(kind.name)
  if (dependent.size === 0) return undefined
  const planned = await listPlanned(db, {})
  return earliest(planned.filter(({ name }) => dependent.has(name)).map(({ nextAt }) => nextAt))
}

/** When the next of all entries is due, in ms; at once when one has never been planned. */
export async function nextTimeOfAny(db: Db, table: readonly Recurring[]): Promise<number | undefined> {
  const planned = new Map((await listPlanned(db, {})).map(({ name, nextAt }) => [name, nextAt]))
  return earliest(table.map(({ kind }) => planned.get(kind.name) ?? 0))
}

/** Enqueues due entries and plans their next time, each in its own unit. Missed times are not made up for. */
export async function enqueueDue(
  store: Store,
  clock: Clock,
  table: readonly Recurring[],
  enqueue: (unit: Unit, entry: Recurring) => Promise<void>,
): Promise<void> {
  const planned = new Map((await listPlanned(store.read, {})).map((row) => [row.name, row]))
  for (const entry of table) {
    const schedule = String(entry.every)
    const known = planned.get(entry.kind.name)
    const stale = known === undefined || known.schedule !== schedule
    if (!stale && known.nextAt > clock.now()) continue
    await store.write("instance", async (unit) => {
      const row = { name: entry.kind.name, schedule, nextAt: nextRun(entry.every, unit.now) }
      await unit.db.insert(recurringTable).values(row).onConflictDoUpdate({ target: recurringTable.name, set: row })
      if (!stale) await enqueue(unit, entry)
    })
  }
}
