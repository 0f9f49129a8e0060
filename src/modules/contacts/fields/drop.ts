import { Type } from "@sinclair/typebox"
import type { Engine } from "../../../engine.ts"
import { defineJob, done, handles, type JobHandler, snooze, untilDone } from "../../../jobs/define.ts"
import { minute } from "../../../kernel/clock.ts"
import { yieldToEventLoop } from "../../../kernel/event-loop.ts"
import type { Unit } from "../../../store/writer.ts"
import type { Actor, Audit } from "../../audit/index.ts"
import { lastSeq } from "../search/store.ts"
import { contactChanged } from "../signals.ts"
import type { FieldDrop } from "../table.ts"
import { uncountField } from "./catalogue.ts"
import { advanceDrop, deleteDrop, findDrop, insertDrop, listDrops } from "./drop-store.ts"
import { clearValue, deleteUnused, forgetType, listHolders, locateField, narrowed } from "./store.ts"

const dropField = defineJob("field.drop", Type.Object({ dropId: Type.String() }), untilDone)

/** Values of `seq` per unit of work: some milliseconds when all of these contacts have the field. */
const slice = 500
/** The request does the work itself; the job checks at this interval whether the request has failed, in ms. */
const checkMs = minute

/**
 * Deletes a field from all contacts that a project has at the time of the request, slice by slice. The position is stored
 * in a row, so that a job, or the same request again, continues where a request was cut off. A value that is written
 * meanwhile is deleted too if the walk has not passed its contact yet.
 */
export function createFieldDrops(
  { store, ids, jobs, bus }: Pick<Engine, "store" | "ids" | "jobs" | "bus">,
  { audit }: { readonly audit: Pick<Audit, "record"> },
) {
  /**
   * The walks of this process, by the id of their deletion: a second request waits for the first one's. Another process
   * may walk at the same time, which is harmless: a value is deleted and counted once, whoever comes first.
   */
  const underWay = new Map<string, Promise<FieldDrop | undefined>>()
  const isOver = (drop: FieldDrop): boolean => drop.position >= drop.until

  /**
   * Removes the field from the catalogue and stores a deletion, or finds an unfinished one; undefined when there is
   * nothing to do.
   */
  async function begin(
    unit: Unit,
    { projectId, name, actor }: { projectId: string; name: string; actor: Actor },
  ): Promise<FieldDrop | undefined> {
    const location = await locateField(unit.db, projectId, name)
    if (location === undefined)
      return (await listDrops(unit.db, projectId)).find((drop) => !isOver(drop) && drop.path.join(".") === name)
    await audit.record(unit, { projectId, action: "field.deleted", actor, details: { field: name } })
    const { path, field } = location
    if (path.length === 1) {
      await forgetType(unit, projectId, field.key)
      await deleteUnused(unit, projectId, field.key)
    }
    const until = await lastSeq(unit.db)
    if (until === 0) return undefined
    const drop = await insertDrop(unit, { id: ids.next(), projectId, path: [...path], until })
    const uniqueKey = `${dropField.name}:${drop.id}`
    await jobs.enqueue(unit, dropField, { dropId: drop.id }, { delayMs: checkMs, uniqueKey })
    return drop
  }

  /** Does the next slice. The position is not stored for slices without a value. */
  async function advance(drop: FieldDrop): Promise<FieldDrop | undefined> {
    const { id, projectId, path, position: after, until } = drop
    const window = await narrowed(store.read, projectId, { after, until: Math.min(after + slice, until) })
    const { until: upTo } = window
    const holders = await listHolders(store.read, projectId, path, window)
    if (holders.length === 0 && upTo < until) return { ...drop, position: upTo }
    return store.write(projectId, async (unit) => {
      const changed = await clearValue(unit, projectId, path, holders)
      for (const contactId of changed) await bus.emit(unit, contactChanged, projectId, { contactId })
      const [key = "", ...inner] = path
      if (inner.length === 0) {
        if (changed.length > 0) await uncountField(unit, projectId, key, changed.length)
        if (upTo === until) await deleteUnused(unit, projectId, key)
      }
      return advanceDrop(unit, id, upTo, changed.length)
    })
  }

  /** Walks until the deletion is complete, or is gone with its project, or is told to stop. */
  async function continueWalk(id: string, abort?: AbortSignal): Promise<FieldDrop | undefined> {
    let drop = await findDrop(store.read, id)
    while (drop && !isOver(drop) && !abort?.aborted) {
      drop = await advance(drop)
      await yieldToEventLoop()
    }
    return drop
  }

  /** Only for a deletion that has no walk in this process. */
  async function walk(id: string, abort?: AbortSignal): Promise<FieldDrop | undefined> {
    const walking = continueWalk(id, abort)
    underWay.set(id, walking)
    try {
      return await walking
    } finally {
      underWay.delete(id)
    }
  }

  const handlers: JobHandler[] = [
    handles(dropField, async ({ dropId }, abort) => {
      if (underWay.has(dropId)) return snooze(checkMs)
      const drop = await walk(dropId, abort)
      if (drop && !isOver(drop)) return snooze(0)
      if (drop) await store.write(drop.projectId, (unit) => deleteDrop(unit, dropId))
      return done
    }),
  ]

  return {
    handlers,

    /** Jobs complete the deletions of an earlier process at once, because no request is waiting for them. */
    async open(): Promise<void> {
      const left = await listDrops(store.read)
      if (left.length === 0) return
      await store.write("instance", async (unit) => {
        for (const { id } of left)
          await jobs.enqueue(unit, dropField, { dropId: id }, { uniqueKey: `${dropField.name}:left:${id}` })
      })
    },

    /**
     * Deletes a custom field; resolves to the number of contacts that this changed (contract A5.9). While the field is
     * being deleted already, waits for that and resolves to 0.
     */
    async drop(projectId: string, name: string, actor: Actor): Promise<number> {
      const drop = await store.write(projectId, (unit) => begin(unit, { projectId, name, actor }))
      if (drop === undefined) return 0
      const other = underWay.get(drop.id)
      const after = await (other ?? walk(drop.id))
      return other || after === undefined ? 0 : after.changed - drop.changed
    },
  }
}

export type FieldDrops = ReturnType<typeof createFieldDrops>
