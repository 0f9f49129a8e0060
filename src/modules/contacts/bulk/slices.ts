import { yieldToEventLoop } from "../../../kernel/event-loop.ts"
import type { Db } from "../../../store/database.ts"
import { findFew } from "../search/find.ts"
import { lastSeq } from "../search/store.ts"
import { type Candidate, listCandidates } from "./store.ts"
import type { BulkJob, Operation, Selection } from "./table.ts"

/** Contacts that one unit of work changes, and where the job stands behind them. */
export interface Slice {
  readonly ids: readonly string[]
  readonly position: number
}

/** While a unit lasts nobody else can write, and with a contact all goes that hangs on it, which may be much. */
const contactsPerSlice: Readonly<Record<Operation, number>> = { subscribe: 100, unsubscribe: 100, delete: 20 }
/** How far one look reaches, in `seq`: over contacts of other projects too. */
const stretch = 2_000
/** More than this that hold a text are not held in memory: the walk finds them. */
const mostFew = 1_000

type Query = Extract<Selection, { mode: "query" }>

/** Whether a selection means a contact, as it is. */
export type Matcher = (candidate: Candidate) => boolean

/** Contacts that came after the request are not meant by a filter: nobody can have had them in view. */
export function matcherOf(job: BulkJob, selection: Selection): Matcher {
  if (selection.mode === "ids") return () => true
  const { search, subscribed } = selection.filter
  const excluded = new Set(selection.excludeIds)
  return (candidate) =>
    candidate.createdAt <= job.createdAt &&
    (subscribed === undefined || candidate.subscribed === subscribed) &&
    (search === undefined || candidate.email.includes(search)) &&
    !excluded.has(candidate.id)
}

/** How many contacts a selection means; looks at all of them, in bounded steps. */
export async function countSelected(db: Db, job: BulkJob, selection: Selection, isMeant: Matcher): Promise<number> {
  if (selection.mode === "ids") return selection.ids.length
  let count = 0
  for await (const candidates of stretchesOf(db, job, selection)) count += candidates.filter(isMeant).length
  return count
}

/** What a job has not behind it yet. */
export async function* slicesOf(db: Db, job: BulkJob, selection: Selection, isMeant: Matcher): AsyncGenerator<Slice> {
  const width = contactsPerSlice[job.operation]
  if (selection.mode === "ids") {
    for (let from = job.position; from < selection.ids.length; from += width) {
      const ids = selection.ids.slice(from, from + width)
      yield { ids, position: from + ids.length }
    }
    return
  }
  for await (const candidates of stretchesOf(db, job, selection)) {
    const meant = candidates.filter(isMeant)
    for (let from = 0; from < meant.length; from += width) {
      const slice = meant.slice(from, from + width)
      yield { ids: slice.map(({ id }) => id), position: slice.at(-1)?.seq ?? 0 }
    }
  }
}

/**
 * The contacts of the project behind the job, in the order of their `seq`, which nothing the job does can change: those
 * that a search finds when they are few, else all of them, stretch by stretch. Filtering is left to the caller, so that a
 * look is bounded however few are meant.
 */
async function* stretchesOf(db: Db, { projectId, position }: BulkJob, { filter }: Query): AsyncGenerator<Candidate[]> {
  const few = filter.search === undefined ? undefined : await findFew(db, projectId, filter.search, mostFew)
  if (few !== undefined) {
    yield few.filter(({ seq }) => seq > position).sort((one, other) => one.seq - other.seq)
    return
  }
  const end = await lastSeq(db)
  for (let after = position; after < end; after += stretch) {
    yield await listCandidates(db, projectId, after, after + stretch)
    await yieldToEventLoop()
  }
}
