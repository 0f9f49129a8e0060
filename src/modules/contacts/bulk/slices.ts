import { turnOfTheLoop } from "../../../kernel/turn.ts"
import type { Db } from "../../../store/database.ts"
import { findFew } from "../search/find.ts"
import { lastSeq } from "../search/store.ts"
import { listBetween, type Passer } from "./store.ts"
import type { BulkJob, Selection } from "./table.ts"

/** Contacts that one unit of work changes, and where the job stands behind them. */
export interface Slice {
  readonly ids: readonly string[]
  readonly position: number
}

/** While a unit lasts nobody else can write, and what hangs on a contact may be much. */
const contactsPerSlice = 100
/** How far one look reaches, in `seq`: over contacts of other projects too. */
const stretch = 2_000
/** More than this that hold a text are not held in memory: the walk finds them. */
const mostFew = 1_000

type Query = Extract<Selection, { mode: "query" }>

/** How many contacts a selection means; looks at all of them, in bounded steps. */
export async function countSelected(db: Db, job: BulkJob, selection: Selection): Promise<number> {
  if (selection.mode === "ids") return selection.ids.length
  let count = 0
  for await (const passers of looks(db, job, selection)) count += passers.filter(meantBy(selection, job)).length
  return count
}

/** What a job has not behind it yet. */
export async function* slicesOf(db: Db, job: BulkJob, selection: Selection): AsyncGenerator<Slice> {
  if (selection.mode === "ids") yield* listed(selection.ids, job.position)
  else yield* met(db, job, selection)
}

function* listed(ids: readonly string[], position: number): Generator<Slice> {
  for (let from = position; from < ids.length; from += contactsPerSlice) {
    const slice = ids.slice(from, from + contactsPerSlice)
    yield { ids: slice, position: from + slice.length }
  }
}

async function* met(db: Db, job: BulkJob, selection: Query): AsyncGenerator<Slice> {
  const isMeant = meantBy(selection, job)
  for await (const passers of looks(db, job, selection)) {
    const meant = passers.filter(isMeant)
    for (let from = 0; from < meant.length; from += contactsPerSlice) {
      const slice = meant.slice(from, from + contactsPerSlice)
      yield { ids: slice.map(({ id }) => id), position: slice.at(-1)?.seq ?? 0 }
    }
  }
}

/**
 * The contacts of the project behind the job, in the order of their `seq`, which nothing the job does can change: those
 * that a search finds when they are few, else all of them, stretch by stretch. Filtering is left to the caller, so that a
 * look is bounded however few are meant.
 */
async function* looks(db: Db, { projectId, position }: BulkJob, { filter }: Query): AsyncGenerator<Passer[]> {
  const few = filter.search === undefined ? undefined : await findFew(db, projectId, filter.search, mostFew)
  if (few !== undefined) {
    yield few.filter(({ seq }) => seq > position).sort((one, other) => one.seq - other.seq)
    return
  }
  const end = await lastSeq(db)
  for (let after = position; after < end; after += stretch) {
    yield await listBetween(db, projectId, after, after + stretch)
    await turnOfTheLoop()
  }
}

/** Contacts that came after the request are not meant: nobody can have had them in view. */
function meantBy({ filter: { search, subscribed }, excludeIds }: Query, job: BulkJob): (passer: Passer) => boolean {
  const excluded = new Set(excludeIds)
  return (passer) =>
    passer.createdAt <= job.createdAt &&
    (subscribed === undefined || passer.subscribed === subscribed) &&
    (search === undefined || passer.email.includes(search)) &&
    !excluded.has(passer.id)
}
