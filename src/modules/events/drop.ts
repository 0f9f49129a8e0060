import { type Static, Type } from "@sinclair/typebox"
import type { Engine } from "../../engine.ts"
import { defineJob, done, handles, type JobHandler, snooze, untilDone } from "../../jobs/define.ts"
import { minute } from "../../kernel/clock.ts"
import { conflict } from "../../kernel/errors.ts"
import { inSlices, type Sliced } from "../../store/slices.ts"
import type { Unit } from "../../store/writer.ts"
import type { Actor, Audit } from "../audit/index.ts"
import { deleteSome, findLatest } from "./drop-store.ts"
import { isReservedName } from "./reserved.ts"

/** The events of a name up to the latest one at the time of the request: `createdAt` and `id` are its position. */
const dropEvents = defineJob(
  "event.drop",
  Type.Object({
    dropId: Type.String(),
    projectId: Type.String(),
    name: Type.String(),
    createdAt: Type.Integer(),
    id: Type.String(),
  }),
  untilDone,
)
type Drop = Static<typeof dropEvents.payload>

/** Events per unit of work: less than 10 ms, also when their pages have to be read from disk. */
const slice = 100
/** Turns of the event loop between two slices, for requests and deliveries. */
const turnsBetween = 10
/** The request does the work itself; how often the job checks whether the request was cut off, in ms. */
const checkEveryMs = minute

/**
 * Deletes the events of a name, slice by slice: those that exist at the time of the request, none that come later. A
 * job continues an interrupted request.
 */
export function createEventDrops(
  { store, ids, jobs, references }: Pick<Engine, "store" | "ids" | "jobs" | "references">,
  { audit }: { readonly audit: Pick<Audit, "record"> },
) {
  const underWay = new Set<string>()

  const deleteNext = (unit: Unit, { projectId, name, ...until }: Drop): Promise<number> =>
    deleteSome(unit, projectId, name, until, slice)

  /** Deletes the first slice; when there may be more, a job waits in case the request is cut off. */
  async function begin(
    unit: Unit,
    { projectId, name, actor }: { projectId: string; name: string; actor: Actor },
  ): Promise<{ deleted: number; rest?: Drop }> {
    if (isReservedName(name)) throw conflict(`Events named ${name} are kept by the service and cannot be deleted.`)
    const uses = await references.to(unit.db, projectId, { kind: "event", key: name })
    if (uses.some(({ blocks }) => blocks))
      throw conflict(`Events named ${name} cannot be deleted: an enabled workflow starts with them.`)
    const latest = await findLatest(unit.db, projectId, name)
    if (latest === undefined) return { deleted: 0 }
    await audit.record(unit, { projectId, action: "events.deleted", actor, details: { event: name } })
    const drop = { dropId: ids.next(), projectId, name, ...latest }
    const deleted = await deleteNext(unit, drop)
    if (deleted < slice) return { deleted }
    await jobs.enqueue(unit, dropEvents, drop, { delayMs: checkEveryMs })
    return { deleted, rest: drop }
  }

  /** Deletes the remaining events, until none is left or the work is aborted. */
  const deleteRest = (drop: Drop, abort?: AbortSignal): Promise<Sliced> =>
    inSlices(store, drop.projectId, (unit) => deleteNext(unit, drop), {
      size: slice,
      turns: turnsBetween,
      abort,
    })

  const handlers: JobHandler[] = [
    handles(dropEvents, async (drop, abort) => {
      if (underWay.has(drop.dropId)) return snooze(checkEveryMs)
      return (await deleteRest(drop, abort)).isOver ? done : snooze(0)
    }),
  ]

  return {
    handlers,

    /**
     * Resolves to the number of events deleted. @throws {DomainError} 409 for a name that cannot be deleted (contract
     * B4.2.8)
     */
    async drop(projectId: string, name: string, actor: Actor): Promise<number> {
      const { deleted, rest } = await store.write(projectId, (unit) => begin(unit, { projectId, name, actor }))
      if (rest === undefined) return deleted
      underWay.add(rest.dropId)
      try {
        return deleted + (await deleteRest(rest)).rows
      } finally {
        underWay.delete(rest.dropId)
      }
    },
  }
}

export type EventDrops = ReturnType<typeof createEventDrops>
