import type { Bus } from "../../../bus/bus.ts"
import type { Engine } from "../../../engine.ts"
import { earliest } from "../../../kernel/clock.ts"
import { yieldToEventLoop } from "../../../kernel/event-loop.ts"
import { reasonOf } from "../../../kernel/log.ts"
import { createLoop } from "../../../kernel/loop.ts"
import type { Worker } from "../../../module.ts"
import type { Db } from "../../../store/database.ts"
import { createPoll } from "../../../store/poll.ts"
import { isUnavailable } from "../../../store/writer.ts"
import { eventRecorded } from "../../events/index.ts"
import type { Advance } from "./advance.ts"
import { nextCallAt, nextCallLapseAt } from "./call-store.ts"
import type { Calls } from "./calls.ts"
import { type DueExecution, isDue, listDue, nextDueAt } from "./due-store.ts"
import type { NewEngineUnit } from "./engine-unit.ts"
import { eventSubscriber } from "./event-subscriber.ts"
import type { RecordFault } from "./record-fault.ts"
import { UnitFault } from "./steps.ts"
import { findExecutionById, postponeExecution } from "./store.ts"
import type { WarmUp } from "./warm.ts"

/** About how many executions are listed at a time. */
const listed = 100
/** The most executions of a unit, and the time that it may take: other writers wait meanwhile. */
const sliceSize = 100
const sliceMs = 10
/** How often the executions are read when nothing is reported, in ms: the next due one is one index lookup. */
const pollMs = 1_000
/** The pause of an execution after a fault that was not caused by its step, in ms. */
const postponeMs = 60_000

export interface WorkerDeps extends Pick<Engine, "store" | "clock" | "log"> {
  readonly bus: Pick<Bus, "pendingSince">
  readonly advance: Advance
  readonly newEngineUnit: NewEngineUnit
  readonly recordFault: RecordFault
  readonly calls: Calls
  readonly warmUp: WarmUp
}

/**
 * Moves the executions that are due, in slices. A resting execution is a row with a time in an index: it costs nothing
 * until then. The unit that moves an execution reads it too, so no step is started twice.
 */
export function createWorker({
  store,
  clock,
  log,
  bus,
  advance,
  newEngineUnit,
  recordFault,
  calls,
  warmUp,
}: WorkerDeps): Worker & { wake(): void } {
  const poll = createPoll({ store, clock }, async () => earliest([await nextAt(), await nextCallLapseAt(store.read)]))
  const loop = createLoop({
    clock,
    log,
    name: "workflows",
    idleMs: pollMs,
    step: (stopping) => poll(() => step(stopping)),
  })

  /**
   * Listed executions that are still to be advanced. In memory, because each is read again in the unit that advances
   * it.
   */
  let next: readonly DueExecution[] = []

  /** Moves some executions on; resolves to their number. */
  async function slice(): Promise<number> {
    if (next.length === 0) next = await listDue(store.read, await timesOf(store.read, clock.now()), listed)
    if (next.length === 0) return 0
    const batch = next.slice(0, sliceSize)
    const unready = await warmUp(store.read, batch)
    let current: string | undefined
    try {
      const moved = await store.write("instance", async (unit) => {
        const engineUnit = newEngineUnit(unit)
        const until = performance.now() + sliceMs
        let isFirst = true
        // However slow it is, a unit makes one step.
        const mayStep = () => {
          const may = isFirst || performance.now() < until
          isFirst = false
          return may
        }
        const times = await timesOf(unit.db, unit.now)
        let moved = 0
        for (const { id, workflowId } of batch) {
          current = id
          const execution = await findExecutionById(unit.db, id)
          moved++
          if (execution === undefined || !isDue(execution, times)) continue
          if (unready.has(workflowId)) await postponeExecution(unit, id, unit.now + postponeMs)
          else await advance.advance(engineUnit, execution, mayStep)
          if (performance.now() >= until) break
        }
        current = undefined
        return moved
      })
      next = next.slice(moved)
      return moved
    } catch (cause) {
      next = []
      if (cause instanceof UnitFault) return recordFault(cause).then(() => 1)
      if (current === undefined || isUnavailable(cause)) throw cause
      return postpone(current, cause)
    }
  }

  /** An execution met a fault of the program, or data that cannot be read: it is tried again later, and the others go on. */
  async function postpone(id: string, cause: unknown): Promise<number> {
    log.error("An execution could not be moved on and will be tried again", { execution: id, reason: reasonOf(cause) })
    await store.write("instance", (unit) => postponeExecution(unit, id, unit.now + postponeMs))
    return 1
  }

  const seenUntil = async (db: Db): Promise<number> =>
    (await bus.pendingSince(db, eventSubscriber, eventRecorded)) ?? Number.MAX_SAFE_INTEGER

  const timesOf = async (db: Db, now: number) => ({ now, seenUntil: await seenUntil(db) })

  async function moveAll(): Promise<number> {
    let moved = 0
    for (let last = -1; last !== 0; moved += last) {
      last = await slice()
      if (last > 0) await yieldToEventLoop()
    }
    return moved
  }

  async function nextAt(): Promise<number | undefined> {
    const due = await nextDueAt(store.read, { seenUntil: await seenUntil(store.read) })
    return earliest([due, await nextCallAt(store.read)])
  }

  /** Requests begin between the slices: those of many executions can take minutes. */
  async function step(stopping: AbortSignal): Promise<void> {
    for (let moved = -1; moved !== 0 && !stopping.aborted; await yieldToEventLoop()) {
      moved = await slice()
      await calls.begin(loop.wake)
    }
  }

  return {
    loop,
    wake: loop.wake,
    open: calls.open,
    async drain() {
      let handled = 0
      for (let round = -1; round !== 0; handled += round) round = (await moveAll()) + (await calls.drain())
      return handled
    },
    nextDueAt: nextAt,
    async stop(graceMs) {
      await loop.stop()
      await calls.stop(graceMs)
    },
  }
}
