import { Type } from "@sinclair/typebox"
import type { Engine } from "../../../engine.ts"
import { defineJob, done, handles, type JobHandler, type Recurring, snooze } from "../../../jobs/define.ts"
import { second } from "../../../kernel/clock.ts"
import { yieldToEventLoop } from "../../../kernel/event-loop.ts"
import { fillGap, listGaps, listLarge } from "./store.ts"

const indexEmails = defineJob("email.index", Type.Object({}))

/** Turns of the event loop between two blocks, for requests and deliveries. */
const turnsBetween = 10
/** The interval while whole blocks of mail arrive, in ms. */
const busyMs = 20 * second

/** The texts that searches read are collected by a job, so that storing a message does not wait for it. */
export function createEmailIndexing({ store }: Pick<Engine, "store">) {
  /** Makes the missing blocks of a project; resolves to their number. */
  async function fill(projectId: string, abort: AbortSignal): Promise<number> {
    let made = 0
    for (const gap of await listGaps(store.read, projectId)) {
      let from: string | undefined = gap.afterId
      while (!abort.aborted && from !== undefined) {
        const after: string = from
        from = await store.write(projectId, (unit) => fillGap(unit, projectId, after))
        if (from !== undefined) made++
        for (let turn = 0; turn < turnsBetween; turn++) await yieldToEventLoop()
      }
    }
    return made
  }

  const handlers: JobHandler[] = [
    handles(indexEmails, async (_, abort) => {
      let made = 0
      for (const projectId of await listLarge(store.read)) made += await fill(projectId, abort)
      if (abort.aborted) return snooze(0)
      return made > 0 ? snooze(busyMs) : done
    }),
  ]

  const recurring: Recurring[] = [{ kind: indexEmails, every: "*/5 * * * *" }]

  return { handlers, recurring }
}
