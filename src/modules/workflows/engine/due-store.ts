import { and, asc, eq, exists, isNull, lt, lte, or, sql } from "drizzle-orm"
import { yieldToEventLoop } from "../../../kernel/event-loop.ts"
import { interleave } from "../../../kernel/interleave.ts"
import type { Db } from "../../../store/database.ts"
import { idParam } from "../../../store/dialect.ts"
import { prepare } from "../../../store/prepare.ts"
import { projectTable } from "../../projects/index.ts"
import { type Execution, executionTable } from "../table.ts"
import { isActive, isPlanned } from "./store.ts"

const { placeholder } = sql
const { id, workflowId, projectId, status, dueAt, waitsFor } = executionTable

/** Without contexts, which may have 256 KB each: more are listed than one unit moves. */
const columns = { id, workflowId, projectId }

export type DueExecution = Pick<Execution, keyof typeof columns>

interface DueTimes {
  readonly now: number
  /** The time of the oldest event that has not been looked at. */
  readonly seenUntil: number
}

/** A wait ends by time only when the events until then have been looked at. */
const isSeen = or(isNull(waitsFor), lt(dueAt, placeholder("seenUntil")))

/** Whether an execution is to be moved on. */
export const isDue = (execution: Execution, { now, seenUntil }: DueTimes): boolean =>
  execution.dueAt !== null && execution.dueAt <= now && (execution.waitsFor === null || execution.dueAt < seenUntil)

const first = prepare((db) =>
  db
    .select(columns)
    .from(executionTable)
    .where(and(isPlanned, lte(dueAt, placeholder("now")), isSeen))
    .orderBy(asc(dueAt))
    .limit(placeholder("limit")),
)

const projectsDue = prepare((db) =>
  db
    .select({ id: projectTable.id })
    .from(projectTable)
    .where(
      exists(
        db
          .select({ id })
          .from(executionTable)
          .where(and(isPlanned, eq(projectId, projectTable.id), isActive, lte(dueAt, placeholder("now")))),
      ),
    ),
)

const firstOfProject = prepare((db) =>
  db
    .select({ ...columns, dueAt })
    .from(executionTable)
    .where(
      and(
        isPlanned,
        eq(projectId, idParam("projectId")),
        eq(status, placeholder("status")),
        lte(dueAt, placeholder("now")),
        isSeen,
      ),
    )
    .orderBy(asc(dueAt), asc(id))
    .limit(placeholder("limit")),
)

interface ProjectQuery extends DueTimes {
  readonly projectId: string
  readonly limit: number
}

/** Those of one project: two reads, because the index has the executions of one status in the order of their times. */
export async function listDueOf(db: Db, query: ProjectQuery): Promise<DueExecution[]> {
  const running = await firstOfProject(db, { ...query, status: "RUNNING" })
  const resting = await firstOfProject(db, { ...query, status: "WAITING" })
  return [...running, ...resting].sort((one, other) => (one.dueAt ?? 0) - (other.dueAt ?? 0)).slice(0, query.limit)
}

/**
 * About `limit` of the executions that are to be moved on, in the order of their times. When there are more, each project has
 * its share of them: a crowd that is due at once keeps no other project waiting.
 */
export async function listDue(db: Db, times: DueTimes, limit: number): Promise<DueExecution[]> {
  const all = await first(db, { ...times, limit })
  if (all.length < limit) return all
  const projects = await projectsDue(db, { now: times.now })
  const share = Math.ceil(limit / projects.length)
  const lists: DueExecution[][] = []
  for (const project of projects) {
    lists.push(await listDueOf(db, { ...times, projectId: project.id, limit: share }))
    await yieldToEventLoop()
  }
  return interleave(lists)
}

const nextDue = prepare((db) =>
  db.select({ at: dueAt }).from(executionTable).where(and(isPlanned, isSeen)).orderBy(asc(dueAt)).limit(1),
)

/** When the next execution is due, except waits that cannot end before an earlier event is looked at. */
export async function nextDueAt(db: Db, { seenUntil }: Pick<DueTimes, "seenUntil">): Promise<number | undefined> {
  const [row] = await nextDue(db, { seenUntil })
  return row?.at ?? undefined
}
