import type { Bus, Subscriber } from "../../../bus/bus.ts"
import type { Unit } from "../../../store/writer.ts"
import { disabledIn, projectDisabled } from "../../projects/index.ts"
import { listWorkflowIds } from "../store.ts"
import { cancelSome } from "./end.ts"
import type { NewEngineUnit } from "./engine-unit.ts"

const slice = 1_000

/** Cancels what runs in a project that is disabled (contract B5.6.9), the first slice in the unit that disables it. */
export const cancelWhenDisabled =
  (bus: Bus) =>
  async (unit: Unit, projectId: string): Promise<void> => {
    await cancelSlice(bus, unit, projectId, undefined)
  }

/** Cancels the rest, one slice for each signal. */
export const disabledSubscriber = (bus: Bus, newEngineUnit: NewEngineUnit): Subscriber => ({
  name: "workflows.disabled",
  on: [projectDisabled],
  async handle(signals, unit) {
    const engineUnit = newEngineUnit(unit)
    for (const [projectId, before] of disabledIn(signals)) {
      // Enabled again meanwhile: what was started since stays.
      const ofThose = (await engineUnit.project(projectId))?.disabled ? undefined : before
      if (await cancelSlice(bus, unit, projectId, ofThose)) await bus.emit(unit, projectDisabled, projectId, { before })
    }
  },
})

/** Resolves to whether there may be more. */
async function cancelSlice(bus: Bus, unit: Unit, projectId: string, before: string | undefined): Promise<boolean> {
  let left = slice
  for (const workflowId of await listWorkflowIds(unit.db, projectId))
    left -= await cancelSome(bus, unit, { workflowId, before }, "project_disabled", left)
  return left === 0
}
