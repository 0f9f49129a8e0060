import { and, asc, desc, eq, lt, lte, notInArray, or } from "drizzle-orm"
import type { Bus } from "../../bus/bus.ts"
import type { Config } from "../../config.ts"
import type { Sweep } from "../../module.ts"
import type { EachSlice } from "../../store/slices.ts"
import type { Store } from "../../store/store.ts"
import { emailChanged, emailTable, passLeadsOn } from "../emails/index.ts"
import type { Projects } from "../projects/index.ts"

interface KeepDeps {
  readonly store: Pick<Store, "read">
  readonly bus: Pick<Bus, "emit">
  readonly projects: Pick<Projects, "list">
}

/**
 * Deletes the oldest messages of each project beyond the limits of the sandbox (contract A8.3.7). Mail that waits to be
 * sent stays.
 */
export function createMessageLimit(
  { store, bus, projects }: KeepDeps,
  { keepMessages, keepMs }: Pick<Config["sandbox"], "keepMessages" | "keepMs">,
): Sweep {
  const { id, projectId, createdAt, status } = emailTable
  /** Waiting messages are left out, so that any number of them does not keep others from being deleted. */
  const isOver = notInArray(status, ["PENDING", "SENDING"])

  /** The newest of the messages beyond the number that is kept. */
  async function firstBeyond(project: string): Promise<string | undefined> {
    if (keepMessages === 0) return undefined
    const newest = store.read.select({ id }).from(emailTable).where(eq(projectId, project)).orderBy(desc(id))
    return (await newest.limit(1).offset(keepMessages))[0]?.id
  }

  async function limit(each: EachSlice, project: string): Promise<void> {
    const last = await firstBeyond(project)
    if (last === undefined && keepMs === 0) return
    await each(async (unit, limit) => {
      const oldest = unit.db
        .select({ id, createdAt })
        .from(emailTable)
        .where(and(eq(projectId, project), isOver))
        .orderBy(asc(id))
        .limit(limit)
        .as("oldest")
      const beyond = [
        ...(last === undefined ? [] : [lte(oldest.id, last)]),
        ...(keepMs === 0 ? [] : [lt(oldest.createdAt, unit.now - keepMs)]),
      ]
      const due = await unit.db
        .select({ id: oldest.id })
        .from(oldest)
        .where(or(...beyond))
      for (const message of due) {
        await passLeadsOn(bus, unit, project, [message.id])
        await unit.db.delete(emailTable).where(eq(id, message.id))
        await bus.emit(unit, emailChanged, project, { id: message.id, change: "deleted" })
      }
      return due.length
    })
  }

  return {
    name: "sandbox messages",
    often: true,
    async run(each) {
      for (const project of await projects.list()) await limit(each, project.id)
    },
  }
}
