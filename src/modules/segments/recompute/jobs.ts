import { Type } from "@sinclair/typebox"
import type { Engine } from "../../../engine.ts"
import { defineJob, done, handles, type JobHandler, type Recurring, snooze } from "../../../jobs/define.ts"
import { yieldToEventLoop } from "../../../kernel/event-loop.ts"
import { reasonOf } from "../../../kernel/log.ts"
import { inSlices } from "../../../store/slices.ts"
import { isUnavailable, type Unit } from "../../../store/writer.ts"
import type { LiveContacts } from "../evaluate/live.ts"
import type { Trees } from "../evaluate/trees.ts"
import { dropMembers } from "../members/store.ts"
import { isRecorded, isTracked } from "../rules.ts"
import { findRule, listAllRules, nextProject, type Rule, saveCount } from "../store.ts"
import type { Recompute } from "./pass.ts"

const computeAll = defineJob("segment.compute", Type.Object({}))
const forgetMembers = defineJob(
  "segment.forget-members",
  Type.Object({ projectId: Type.String(), segmentId: Type.String() }),
)

/** Members that one unit of work forgets. */
export const forgetSlice = 500

interface Parts extends Pick<Engine, "store" | "jobs" | "log" | "config"> {
  readonly live: LiveContacts
  readonly trees: Trees
  readonly recompute: Recompute
}

/** Work on all segments every few minutes (contract B3.4.1, B3.4.3), and on members that count no more. */
export function segmentJobs({ store, jobs, log, config, live, trees, recompute }: Parts) {
  /** Counts a segment anew, after its membership has been brought up to date where it is tracked. */
  async function renew(rule: Rule, signal: AbortSignal): Promise<void> {
    if (isTracked(rule)) await recompute(rule, signal)
    const total = isRecorded(rule) ? await live.recorded(rule) : await live.countOf(rule)
    if (!signal.aborted) await store.write(rule.projectId, (unit) => saveCount(unit, rule.projectId, rule.id, total))
  }

  /** Goes through all segments; what is wrong with one is no reason to leave out the others. */
  async function renewAll(signal: AbortSignal): Promise<void> {
    let project = await nextProject(store.read, "")
    for (; project !== undefined; project = await nextProject(store.read, project))
      for (const { id } of inOrder(await listAllRules(store.read, project), trees)) {
        if (signal.aborted) return
        try {
          const rule = await findRule(store.read, project, id)
          if (rule) await renew(rule, signal)
        } catch (cause) {
          if (signal.aborted || isUnavailable(cause)) throw cause
          log.error("A segment could not be computed", { segment: id, reason: reasonOf(cause) })
        }
        await yieldToEventLoop()
      }
  }

  const handlers: JobHandler[] = [
    handles(computeAll, async (_, signal) => {
      await renewAll(signal)
      return signal.aborted ? snooze(0) : done
    }),
    handles(forgetMembers, async ({ projectId, segmentId }, signal) => {
      const step = async (unit: Unit, limit: number): Promise<number> => {
        const rule = await findRule(unit.db, projectId, segmentId)
        return rule && isRecorded(rule) ? 0 : dropMembers(unit, segmentId, limit)
      }
      const { isOver } = await inSlices(store, projectId, step, { size: forgetSlice, abort: signal })
      return isOver ? done : snooze(0)
    }),
  ]

  const recurring: Recurring[] = [
    { name: computeAll.name, every: config.segments.computeMs, kind: computeAll, payload: {} },
  ]

  return {
    handlers,
    recurring,
    /** Clears away what is recorded of a segment that the unit at hand deletes, or tracks no more. */
    wantForgotten: (unit: Unit, projectId: string, segmentId: string) =>
      jobs.enqueue(unit, forgetMembers, { projectId, segmentId }),
  }
}

/** Segments in such an order that each comes behind those it names: then one pass is enough for all of them. */
export function inOrder(rules: readonly Rule[], trees: Trees): Rule[] {
  const byId = new Map(rules.map((rule) => [rule.id, rule]))
  const ordered = new Set<Rule>()
  const entered = new Set<Rule>()
  function place(rule: Rule): void {
    if (entered.has(rule)) return
    entered.add(rule)
    for (const id of rule.condition === null ? [] : trees(rule.condition).needs.segments) {
      const named = byId.get(id)
      if (named) place(named)
    }
    ordered.add(rule)
  }
  for (const rule of rules) place(rule)
  return [...ordered]
}
