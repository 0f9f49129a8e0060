import { inArray } from "drizzle-orm"
import type { Unit } from "../../store/writer.ts"
import { emailTable } from "./table.ts"

/** Operations of workflows on the messages of their executions. */
export const executionEmails = {
  /** Removes the executions, which are being deleted, from their messages (contract B5.2.6). */
  async releaseExecutions(unit: Unit, executionIds: readonly string[]): Promise<void> {
    await unit.db
      .update(emailTable)
      .set({ workflowExecutionId: null })
      .where(inArray(emailTable.workflowExecutionId, [...executionIds]))
  },
}
