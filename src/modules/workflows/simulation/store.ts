import { asc, desc, eq } from "drizzle-orm"
import type { Db } from "../../../store/database.ts"
import { type StepExecution, stepExecutionTable } from "../table.ts"

/** The steps of an execution in the order of their start. */
export const listRows = (db: Db, executionId: string): Promise<StepExecution[]> =>
  db
    .select()
    .from(stepExecutionTable)
    .where(eq(stepExecutionTable.executionId, executionId))
    .orderBy(asc(stepExecutionTable.startedAt), asc(stepExecutionTable.id))

/** The newest of them. */
export async function findLastRow(db: Db, executionId: string): Promise<StepExecution | undefined> {
  const [row] = await db
    .select()
    .from(stepExecutionTable)
    .where(eq(stepExecutionTable.executionId, executionId))
    .orderBy(desc(stepExecutionTable.id))
    .limit(1)
  return row
}
