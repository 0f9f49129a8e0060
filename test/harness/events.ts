import { eventTable } from "../../src/modules/events/index.ts"
import type { TestApp } from "./app.ts"

export interface SeededEvent {
  readonly id: string
  readonly name: string
  readonly contactId: string | null
  readonly createdAt: number
}

/** Inserts events directly into the table, oldest first; triggers must update the counts. */
export async function seedEvents(
  it: TestApp,
  count: number,
  of: (at: number) => Partial<Omit<SeededEvent, "id">>,
  projectId = it.project.id,
): Promise<SeededEvent[]> {
  const events = Array.from({ length: count }, (_, at) => ({
    id: it.ids.next(),
    name: "purchase",
    contactId: null,
    createdAt: it.clock.now(),
    ...of(at),
  }))
  for (let from = 0; from < count; from += 500)
    await it.app.store.write(it.project.id, async (unit) => {
      const rows = events.slice(from, from + 500).map((one) => ({ ...one, projectId, storedData: {} }))
      await unit.db.insert(eventTable).values(rows)
    })
  return events
}
