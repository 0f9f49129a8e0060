import { expect, test } from "bun:test"
import { eq } from "drizzle-orm"
import type { Unit } from "../../src/store/writer.ts"
import { seeded } from "../harness/seeded.ts"
import { noteTable, openTestStore, scratch } from "../harness/store.ts"

const folder = scratch()

interface Step {
  readonly name: string
  readonly action: "add" | "remove" | "grow"
}
interface Plan {
  readonly steps: readonly Step[]
  readonly ending: "well" | "throws" | "awaits the world"
}

const names = ["a", "b", "c", "d", "e"]

function planOf(random: () => number): Plan {
  const of = <T>(list: readonly [T, ...T[]] | readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const steps = Array.from({ length: Math.floor(random() * 5) }, () => ({
    name: of(names),
    action: of<Step["action"]>(["add", "add", "remove", "grow"]),
  }))
  return { steps, ending: of(["well", "well", "well", "throws", "awaits the world"] as const) }
}

/** One unit after the other on a map: what the store must come to, and which units must be refused. */
function model(plans: readonly Plan[]): { rows: [string, number][]; stored: boolean[] } {
  let rows = new Map<string, number>()
  const stored = plans.map(({ steps, ending }) => {
    const draft = new Map(rows)
    for (const { name, action } of steps) {
      const known = draft.get(name)
      if (action === "add" && known !== undefined) return false
      if (action === "add") draft.set(name, 0)
      else if (action === "remove") draft.delete(name)
      else if (known !== undefined) draft.set(name, known + 1)
    }
    if (ending !== "well") return false
    rows = draft
    return true
  })
  return { rows: [...rows].sort(), stored }
}

async function perform(unit: Unit, { steps, ending }: Plan): Promise<void> {
  for (const { name, action } of steps) {
    const here = eq(noteTable.name, name)
    if (action === "add") await unit.db.insert(noteTable).values({ name, size: 0 })
    else if (action === "remove") await unit.db.delete(noteTable).where(here)
    else {
      const [row] = await unit.db.select().from(noteTable).where(here)
      if (row)
        await unit.db
          .update(noteTable)
          .set({ size: row.size + 1 })
          .where(here)
    }
  }
  if (ending === "throws") throw new Error("No.")
  if (ending === "awaits the world") await new Promise(setImmediate)
}

test.each([1, 2, 3, 4, 5, 6])(
  "whatever mix of units comes, the store equals one unit after the other (seed %d)",
  async (seed) => {
    const random = seeded(seed)
    const store = await openTestStore(folder())
    const plans: Plan[] = []
    const stored: boolean[] = []
    while (plans.length < 300) {
      const crowd = Array.from({ length: 1 + Math.floor(random() * 40) }, () => planOf(random))
      plans.push(...crowd)
      const results = await Promise.allSettled(
        crowd.map((plan) => store.write("instance", (unit) => perform(unit, plan))),
      )
      stored.push(...results.map(({ status }) => status === "fulfilled"))
      const rows = (await store.read.select().from(noteTable)).map(({ name, size }): [string, number] => [name, size])
      expect({ rows: rows.sort(), stored }).toEqual(model(plans))
    }
    expect(stored.includes(true) && stored.includes(false)).toBe(true)
    await store.close()
  },
)
