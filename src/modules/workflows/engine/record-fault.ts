import type { Engine } from "../../../engine.ts"
import type { Advance } from "./advance.ts"
import type { NewEngineUnit } from "./engine-unit.ts"
import type { UnitFault } from "./steps.ts"
import { findExecutionById } from "./store.ts"

interface RecordFaultDeps extends Pick<Engine, "store"> {
  readonly advance: Advance
  readonly newEngineUnit: NewEngineUnit
}

/**
 * A step has failed and its unit was given up: the steps before it are made again, and then its failure is recorded.
 * Resolves to whether the execution is over.
 */
export const createRecordFault =
  ({ store, advance, newEngineUnit }: RecordFaultDeps) =>
  ({ executionId, steps, message }: UnitFault): Promise<boolean> =>
    store.write("instance", async (unit) => {
      const engineUnit = newEngineUnit(unit)
      const before = await findExecutionById(unit.db, executionId)
      if (before === undefined || before.completedAt !== null) return true
      if (before.dueAt === null) return false
      await advance.advance(engineUnit, before, (execution) => execution.steps < steps)
      const execution = await findExecutionById(unit.db, executionId)
      if (execution?.steps !== steps || execution.completedAt !== null) return false
      await advance.fail(engineUnit, execution, message)
      return true
    })

export type RecordFault = ReturnType<typeof createRecordFault>
