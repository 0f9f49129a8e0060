import { Type } from "@sinclair/typebox"
import type { Engine } from "../../../engine.ts"
import { defineJob, done, handles, type JobHandler, snooze } from "../../../jobs/define.ts"
import { minute } from "../../../kernel/clock.ts"
import { yieldToEventLoop } from "../../../kernel/event-loop.ts"
import type { Unit } from "../../../store/writer.ts"
import { lastSeq } from "../search/store.ts"
import { contactChanged } from "../signals.ts"
import type { FieldDrop } from "../table.ts"
import { uncountField } from "./catalogue.ts"
import { advanceDrop, deleteDrop, findDrop, insertDrop, listDrops } from "./drop-store.ts"
import { clearValue, dropUnheld, forgetType, listHolders, locateField } from "./store.ts"

const dropField = defineJob("contacts.dropField", Type.Object({ dropId: Type.String() }))

/** Contacts per unit of work: some milliseconds when all of them have the field. */
const slice = 500
/** The request does the work itself; every so often the job looks whether it has failed, in ms. */
const lookEvery = minute

/**
 * Takes a field off all contacts of a project, those there are when it is asked for, slice by slice. How far it is stands
 * in a row of its own, so that a job, or whoever asks again, goes on where a request was cut off. What is written to the
 * field meanwhile goes too where the walk has yet to come by.
 */
export function fieldDrops({ store, ids, jobs, bus }: Pick<Engine, "store" | "ids" | "jobs" | "bus">) {
  /** By id, those that are worked on. */
  const underWay = new Map<string, Promise<FieldDrop | undefined>>()
  const isOver = (drop: FieldDrop): boolean => drop.position >= drop.until

  /** Forgets the field and writes down what there is to do, or finds what is left of it; undefined when there is nothing. */
  async function begin(unit: Unit, projectId: string, name: string): Promise<FieldDrop | undefined> {
    const location = await locateField(unit.db, projectId, name)
    if (location === undefined)
      return (await listDrops(unit.db, projectId)).find((drop) => !isOver(drop) && drop.path.join(".") === name)
    const { path, field } = location
    if (path.length === 1) {
      await forgetType(unit, projectId, field.key)
      await dropUnheld(unit, projectId, field.key)
    }
    const until = await lastSeq(unit.db)
    if (until === 0) return undefined
    const drop = await insertDrop(unit, { id: ids.next(), projectId, path: [...path], until })
    const uniqueKey = `${dropField.name}:${drop.id}`
    await jobs.enqueue(unit, dropField, { dropId: drop.id }, { runAt: unit.now + lookEvery, uniqueKey })
    return drop
  }

  /** Puts the next contacts behind the deletion. Those that have nothing to lose are only remembered here. */
  async function advance(drop: FieldDrop): Promise<FieldDrop | undefined> {
    const { id, projectId, path, position: after, until } = drop
    const upTo = Math.min(after + slice, until)
    const holders = await listHolders(store.read, projectId, path, { after, upTo })
    if (holders.length === 0 && upTo < until) return { ...drop, position: upTo }
    return store.write(projectId, async (unit) => {
      const changed = await clearValue(unit, projectId, path, holders)
      for (const contactId of changed) await bus.emit(unit, contactChanged, projectId, { contactId })
      const [key = "", ...inner] = path
      if (inner.length === 0) {
        if (changed.length > 0) await uncountField(unit, projectId, key, changed.length)
        if (upTo === until) await dropUnheld(unit, projectId, key)
      }
      return advanceDrop(unit, id, upTo, changed.length)
    })
  }

  /** Goes on with a deletion until it is over, or there is none, or the signal aborts. */
  async function goOn(id: string, signal?: AbortSignal): Promise<FieldDrop | undefined> {
    let drop = await findDrop(store.read, id)
    while (drop && !isOver(drop) && !signal?.aborted) {
      drop = await advance(drop)
      await yieldToEventLoop()
    }
    return drop
  }

  /** For a deletion that nobody works on. */
  async function work(id: string, signal?: AbortSignal): Promise<FieldDrop | undefined> {
    const run = goOn(id, signal)
    underWay.set(id, run)
    try {
      return await run
    } finally {
      underWay.delete(id)
    }
  }

  const handlers: JobHandler[] = [
    handles(dropField, async ({ dropId }, signal) => {
      if (underWay.has(dropId)) return snooze(lookEvery)
      const drop = await work(dropId, signal)
      if (drop && !isOver(drop)) return snooze(0)
      if (drop) await store.write(drop.projectId, (unit) => deleteDrop(unit, dropId))
      return done
    }),
  ]

  return {
    handlers,

    /** Called once, at start: nobody waits any more for the deletions that the last process left, so jobs end them now. */
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
     * being deleted already, it waits for that and changes none.
     */
    async drop(projectId: string, name: string): Promise<number> {
      const drop = await store.write(projectId, (unit) => begin(unit, projectId, name))
      if (drop === undefined) return 0
      const other = underWay.get(drop.id)
      const after = await (other ?? work(drop.id))
      return other || after === undefined ? 0 : after.changed - drop.changed
    },
  }
}
