import { and, eq, inArray, lt, sql } from "drizzle-orm"
import type { Bus, Subscriber } from "../../bus/bus.ts"
import type { Engine } from "../../engine.ts"
import { unleased } from "../../store/lease.ts"
import type { Unit } from "../../store/writer.ts"
import { disabledIn, findProject, projectDisabled } from "../projects/index.ts"
import { notBegun } from "./ledger.ts"
import { emailChanged } from "./outcome.ts"
import { becauseDisabled, campaignCancelled } from "./rules.ts"
import { emailTable } from "./table.ts"

const slice = 1_000

/**
 * Ends the mail that has not begun to leave of a project that was disabled (contract B9.4.5), one slice per signal: while more may be left, the
 * signal is emitted again.
 */
export const disablingReaction = (bus: Bus): Subscriber => ({
  name: "emails.disabled",
  on: [projectDisabled],
  async handle(signals, unit) {
    for (const [projectId, at] of disabledIn(signals))
      if (await endSlice(bus, unit, projectId, at)) await bus.emit(unit, projectDisabled, projectId, { at })
  },
})

/** Ends the first slice in the unit that disables the project. */
export const endWhenDisabled =
  (bus: Bus) =>
  async (unit: Unit, projectId: string): Promise<void> => {
    await endSlice(bus, unit, projectId, unit.now)
  }

/**
 * The same for a command, which runs no subscribers: a server beside it reads the signal within a second, and until then
 * would hand over what waits.
 */
export const createDisabling = ({ store, bus }: Pick<Engine, "store" | "bus">) => ({
  async endMailOfDisabled(projectId: string): Promise<void> {
    while (await store.write(projectId, (unit) => endSlice(bus, unit, projectId, unit.now))) {
      // The next slice.
    }
  },
})

/** Resolves to whether there may be more. */
async function endSlice(bus: Bus, unit: Unit, projectId: string, at: number): Promise<boolean> {
  const ended = await endWaiting(unit, projectId, at)
  for (const { id } of ended) await bus.emit(unit, emailChanged, projectId, { id, change: "updated" })
  return ended.length === slice
}

/** Mail of a campaign ends as that of a cancelled one, because its campaign is cancelled with the project (contract B1.6.5). */
const unlessOfCampaign = (other: string, ofCampaign: string) =>
  sql<string>`CASE WHEN ${emailTable.campaignId} IS NULL THEN ${other} ELSE ${ofCampaign} END`

/** If the project has been enabled again meanwhile, mail stored after it was disabled stays. */
async function endWaiting(unit: Unit, projectId: string, at: number): Promise<{ id: string }[]> {
  const project = await findProject(unit.db, projectId)
  const isMeant = project?.disabled ? undefined : lt(emailTable.createdAt, at)
  const ended: { id: string }[] = []
  for (const condition of notBegun) {
    const some = unit.db
      .select({ id: emailTable.id })
      .from(emailTable)
      .where(and(condition, eq(emailTable.projectId, projectId), isMeant))
      .limit(slice - ended.length)
    const failed = await unit.db
      .update(emailTable)
      .set({
        status: unlessOfCampaign("FAILED", "CANCELLED"),
        error: unlessOfCampaign(becauseDisabled, campaignCancelled),
        ...unleased,
        updatedAt: unit.now,
      })
      .where(and(condition, inArray(emailTable.id, some)))
      .returning({ id: emailTable.id })
    ended.push(...failed)
  }
  return ended
}
