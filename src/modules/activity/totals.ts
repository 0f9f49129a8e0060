import type { Engine } from "../../engine.ts"
import { hour } from "../../kernel/clock.ts"
import type { Db } from "../../store/database.ts"
import type { Counted } from "./source.ts"
import { sumKinds } from "./tally.ts"

/** What is counted on the event loop, rows and entries of an index; more is counted by the read pool, which takes 50 ms. */
const [fewRows, fewEntries] = [2_000, 50_000]

/** A period in ms, including both ends; without `to` it is open. */
interface TotalPeriod {
  readonly from: number
  readonly to: number | undefined
}

/** How many there are of each type; types of which there is nothing may be missing. */
type Totals = ReadonlyMap<string, number>

/**
 * Counts by type what a project has in a period: whole hours by the tally, the parts of hours at its ends in the
 * records. The cost does not grow with the period.
 */
export function createTotals({ store }: Pick<Engine, "store">) {
  const db = store.read

  return async (projectId: string, wanted: readonly Counted[], { from, to }: TotalPeriod): Promise<Totals> => {
    const totals = new Map<string, number>()
    const add = (type: string, count: number) => void totals.set(type, (totals.get(type) ?? 0) + count)
    const end = to ?? Number.MAX_SAFE_INTEGER
    if (from > end) return totals
    const tallied = wanted.filter((one) => one.tallied)
    const kinds = tallied.map(({ type }) => type)

    /** Adds a part of one hour. */
    async function addPart(from: number, to: number): Promise<void> {
      const at = Math.floor(from / hour)
      const whole = await sumKinds(db, projectId, kinds, { from: at, to: at + 1 })
      for (const one of tallied) {
        const most = whole.get(one.type) ?? 0
        if (most === 0) continue
        const count = (db: Db) => one.count(db, { projectId, from }, to)
        const few = one.isCovered ? fewEntries : fewRows
        add(one.type, await (most > few ? store.readPool.read(projectId, count) : count(db)))
      }
    }

    for (const one of wanted) if (!one.tallied) add(one.type, await one.count(db, { projectId, from }, end))
    if (tallied.length === 0) return totals
    const firstWhole = Math.ceil(from / hour)
    const afterWhole = to === undefined ? undefined : Math.floor((to + 1) / hour)
    if (afterWhole !== undefined && afterWhole < firstWhole) {
      await addPart(from, end)
      return totals
    }
    for (const [kind, count] of await sumKinds(db, projectId, kinds, { from: firstWhole, to: afterWhole }))
      add(kind, count)
    if (from < firstWhole * hour) await addPart(from, firstWhole * hour - 1)
    if (afterWhole !== undefined && afterWhole * hour <= end) await addPart(afterWhole * hour, end)
    return totals
  }
}

export type CountActivity = ReturnType<typeof createTotals>
