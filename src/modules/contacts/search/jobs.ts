import { Type } from "@sinclair/typebox"
import type { Engine } from "../../../engine.ts"
import { defineJob, done, handles, type JobHandler, type Recurring, snooze } from "../../../jobs/define.ts"
import { yieldToEventLoop } from "../../../kernel/event-loop.ts"
import type { Unit } from "../../../store/writer.ts"
import { indexSlice, lastSeq, readIndexState } from "./store.ts"

const fillIndex = defineJob("contact.index", Type.Object({}))

/** How many contacts may wait for the index: scanning them costs a search less than a millisecond. */
const tailWorthwhile = 1_000
const slice = 100
/** Turns of the event loop between two slices, for requests and deliveries. */
const turnsBetween = 10
/** The interval of indexing while many contacts are being created, in ms, because creating them has priority. */
const busyMs = 250

/** The search index is filled by a job, so that creating a contact does not wait for it. */
export function createSearchIndexing({ store, jobs }: Pick<Engine, "store" | "jobs">) {
  /** In memory, because a rough count is enough: the recurring job indexes the rest. */
  let created = 0

  const enqueue = (unit: Unit) => jobs.enqueue(unit, fillIndex, {}, { uniqueKey: fillIndex.name })

  const handlers: JobHandler[] = [
    handles(fillIndex, async (_, abort) => {
      for (;;) {
        const before = await lastSeq(store.read)
        const left = await store.write("instance", (unit) => indexSlice(unit, slice))
        if (left === 0) return done
        if (abort.aborted) return snooze(0)
        if ((await lastSeq(store.read)) > before) return snooze(busyMs)
        for (let turn = 0; turn < turnsBetween; turn++) await yieldToEventLoop()
      }
    }),
  ]

  const recurring: Recurring[] = [{ kind: fillIndex, every: "*/5 * * * *" }]

  return {
    handlers,
    recurring,

    /** Counts contacts created in this unit: many of them do not wait for the recurring job. */
    async noteCreated(unit: Unit, contacts = 1): Promise<void> {
      created += contacts
      if (created < tailWorthwhile) return
      created = 0
      await enqueue(unit)
    },

    /** Contacts that an earlier process created may wait for the index. */
    async open(): Promise<void> {
      const { mark, last } = await readIndexState(store.read)
      if (last - mark >= tailWorthwhile) await store.write("instance", enqueue)
    },
  }
}
