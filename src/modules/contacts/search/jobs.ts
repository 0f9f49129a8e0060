import { Type } from "@sinclair/typebox"
import type { Engine } from "../../../engine.ts"
import { defineJob, done, handles, type JobHandler, type Recurring, snooze } from "../../../jobs/define.ts"
import { yieldToEventLoop } from "../../../kernel/event-loop.ts"
import type { Unit } from "../../../store/writer.ts"
import { indexSlice, lastSeq, reachOfIndex } from "./store.ts"

const fillIndex = defineJob("contacts.index", Type.Object({}))

/** Contacts that may gather behind the mark: looking through them costs a search less than a millisecond. */
const tailWorthwhile = 1_000
const slice = 100
/** Turns of the event loop that requests and deliveries get between two slices. */
const turnsBetween = 10
/** While contacts stream in, they have the machine, and the index takes a slice now and then. */
const restMs = 250

/** The search index is filled behind the writes, so that creating a contact does not wait for it. */
export function searchIndexing({ store, jobs }: Pick<Engine, "store" | "jobs">) {
  let created = 0

  const want = (unit: Unit) => jobs.enqueue(unit, fillIndex, {}, { uniqueKey: fillIndex.name })

  const handlers: JobHandler[] = [
    handles(fillIndex, async (_, signal) => {
      for (;;) {
        const before = await lastSeq(store.read)
        const left = await store.write("instance", (unit) => indexSlice(unit, slice))
        if (left === 0) return done
        if (signal.aborted) return snooze(0)
        if ((await lastSeq(store.read)) > before) return snooze(restMs)
        for (let turn = 0; turn < turnsBetween; turn++) await yieldToEventLoop()
      }
    }),
  ]

  const recurring: Recurring[] = [{ name: fillIndex.name, every: "*/5 * * * *", kind: fillIndex, payload: {} }]

  return {
    handlers,
    recurring,

    /** Tells of contacts created in this unit, so that many need not wait for the recurring job. Roughly counted. */
    async noteCreated(unit: Unit, contacts = 1): Promise<void> {
      created += contacts
      if (created < tailWorthwhile) return
      created = 0
      await want(unit)
    },

    /** Called once, at start: contacts may have gathered behind the mark. */
    async open(): Promise<void> {
      const { mark, last } = await reachOfIndex(store.read)
      if (last - mark >= tailWorthwhile) await store.write("instance", want)
    },
  }
}
