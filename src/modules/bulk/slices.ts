import { yieldToEventLoop } from "../../kernel/event-loop.ts"
import type { Store } from "../../store/store.ts"
import { findFew, inUnits, lastSeq } from "../contacts/index.ts"
import { type Candidate, idsHaving, listCandidates, listDataBytes, listPresent } from "./store.ts"
import type { BulkJob, Operation, Selection } from "./table.ts"

/** Contacts that one unit of work changes. */
export interface Slice {
  readonly ids: readonly string[]
  /** The position of the job after them. */
  readonly position: number
  /** Whether an id without a contact is an error, because it was in an explicit list. */
  readonly areExpected: boolean
  /** Whether the selection contains a contact, as it is now. */
  readonly isSelected: (candidate: Candidate) => boolean
  /** The text that each contact must still contain in its address or its values. */
  readonly find?: string | undefined
}

/** Contacts per unit: all other units wait for it, and deleting a contact may delete much data. */
const contactsPerSlice: Readonly<Record<Operation, number>> = { subscribe: 100, unsubscribe: 100, delete: 20 }
/** How many values of `seq` one query covers, contacts of other projects included. */
const seqsPerQuery = 2_000
/** Up to this many matches of a search are held in memory; more are found by walking. */
const mostFew = 1_000

type Reads = Pick<Store, "read" | "readPool">
type Query = Extract<Selection, { mode: "query" }>

/**
 * Contacts created after the request are not selected by a query, because they cannot have been in its results. They
 * are identified by `seq`, not by time, because the clock may have been set back.
 */
function matcherOf(job: BulkJob, { filter: { search, subscribed }, excludeIds, until }: Query): Slice["isSelected"] {
  const excluded = new Set(excludeIds)
  return (candidate) =>
    (until === undefined ? candidate.createdAt <= job.createdAt : candidate.seq <= until) &&
    (subscribed === undefined || candidate.subscribed === subscribed) &&
    (search === undefined || candidate.email.includes(search)) &&
    !excluded.has(candidate.id)
}

/** How many contacts a selection contains; reads all contacts, in bounded steps. */
export async function countSelected(store: Reads, job: BulkJob, selection: Selection): Promise<number> {
  if (selection.mode === "ids") return selection.ids.length
  const isSelected = matcherOf(job, selection)
  let count = 0
  for await (const candidates of candidatesAfter(store, job, selection)) count += candidates.filter(isSelected).length
  return count
}

/** The remaining slices of a job. */
export async function* slicesOf(store: Reads, job: BulkJob, selection: Selection): AsyncGenerator<Slice> {
  const width = contactsPerSlice[job.operation]
  if (selection.mode === "ids") {
    const left = selection.ids.slice(job.position)
    const bytes = await listDataBytes(store.read, job.projectId, left)
    let { position } = job
    for (const ids of inUnits(left, width, (id) => bytes.get(id) ?? 0)) {
      position += ids.length
      yield { ids, position, areExpected: true, isSelected: () => true }
    }
    return
  }
  const isSelected = matcherOf(job, selection)
  for await (const candidates of candidatesAfter(store, job, selection)) {
    const selected = candidates.filter(isSelected)
    const bytes = await listDataBytes(
      store.read,
      job.projectId,
      selected.map(({ id }) => id),
    )
    for (const slice of inUnits(selected, width, ({ id }) => bytes.get(id) ?? 0))
      yield {
        ids: slice.map(({ id }) => id),
        position: slice.at(-1)?.seq ?? 0,
        areExpected: false,
        isSelected,
        find: selection.filter.find,
      }
  }
}

/**
 * The contacts of the project after the job's position, by `seq`, which nothing that the job does can change: those that a
 * search finds when they are few, else all of them. The caller filters, so that a step is bounded however few are selected.
 */
async function* candidatesAfter(
  { read: db, readPool }: Reads,
  { projectId, position }: BulkJob,
  { filter: { search, find } }: Query,
): AsyncGenerator<Candidate[]> {
  const few = search === undefined ? undefined : await findFew(db, projectId, search, mostFew)
  if (few !== undefined) {
    yield few.filter(({ seq }) => seq > position).sort((one, other) => one.seq - other.seq)
    return
  }
  const end = await lastSeq(db)
  for (let after = position; after < end; after += seqsPerQuery) {
    const until = after + seqsPerQuery
    if (find === undefined) yield await listCandidates(db, projectId, after, until)
    else {
      // Searches values on a thread, because they may be long.
      const found = await readPool.read(projectId, (on) => idsHaving(on, projectId, find, after, until))
      yield await listPresent(
        db,
        projectId,
        found.map(({ id }) => id),
      )
    }
    await yieldToEventLoop()
  }
}
