import { sql } from "drizzle-orm"
import type { Bus, Subscriber } from "../../../bus/bus.ts"
import type { Engine } from "../../../engine.ts"
import { nilId } from "../../../kernel/ids.ts"
import { isMadeBefore } from "../../../store/dialect.ts"
import type { Unit } from "../../../store/writer.ts"
import { disabledIn, findProject, projectDisabled } from "../../projects/index.ts"
import type { Begun } from "../delivery/begun.ts"
import { emailChanged } from "../outcome/outcome.ts"
import { becauseDisabled, campaignCancelled } from "../rules.ts"
import { emailTable } from "../table.ts"
import { endNotBegun } from "./not-begun.ts"

const slice = 1_000

interface DisablingDeps {
  readonly bus: Bus
  readonly begun: Begun
}

/**
 * Ends the mail of a disabled project that has not begun its hand-over (contract B9.4.5), one slice per signal: while
 * there may be more, the signal is emitted again.
 */
export const disablingReaction = ({ bus, begun }: DisablingDeps): Subscriber => ({
  name: "emails.disabled",
  on: [projectDisabled],
  async handle(signals, unit) {
    for (const [projectId, before] of disabledIn(signals))
      if (await endSlice({ bus, begun }, unit, projectId, before))
        await bus.emit(unit, projectDisabled, projectId, { before })
  },
})

/** Ends the first slice in the unit that disables the project. */
export const endWhenDisabled =
  (deps: DisablingDeps) =>
  async (unit: Unit, projectId: string): Promise<void> => {
    await endSlice(deps, unit, projectId, nilId)
  }

/**
 * Ends all slices at once, for a command: a server beside it reads the signal only within a second, and until then
 * would hand over waiting mail.
 */
export const createDisabling = ({ store, ...deps }: Pick<Engine, "store"> & DisablingDeps) => ({
  async endMailOfDisabled(projectId: string): Promise<void> {
    while (await store.write(projectId, (unit) => endSlice(deps, unit, projectId, nilId))) {
      // The next slice.
    }
  },
})

/** Resolves to whether there may be more. */
async function endSlice(
  { bus, begun }: DisablingDeps,
  unit: Unit,
  projectId: string,
  before: string,
): Promise<boolean> {
  const ended = await endWaiting(begun, unit, projectId, before)
  for (const { id } of ended) await bus.emit(unit, emailChanged, projectId, { id, change: "updated" })
  return ended.length === slice
}

/** Mail of a campaign ends as that of a cancelled one, because its campaign is cancelled with the project (contract B1.6.5). */
const unlessOfCampaign = (other: string, ofCampaign: string) =>
  sql<string>`CASE WHEN ${emailTable.campaignId} IS NULL THEN ${other} ELSE ${ofCampaign} END`

/** If the project has been enabled again meanwhile, mail stored after it was disabled stays. */
async function endWaiting(begun: Begun, unit: Unit, projectId: string, before: string): Promise<{ id: string }[]> {
  const project = await findProject(unit.db, projectId)
  const isMeant = project?.disabled ? undefined : isMadeBefore(emailTable.id, before)
  return endNotBegun(unit, begun, {
    of: [emailTable.projectId, projectId],
    where: isMeant,
    status: unlessOfCampaign("FAILED", "CANCELLED"),
    error: unlessOfCampaign(becauseDisabled, campaignCancelled),
    limit: slice,
  })
}
