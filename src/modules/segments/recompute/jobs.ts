import { Type } from "@sinclair/typebox"
import type { Engine } from "../../../engine.ts"
import { defineJob, done, handles, type JobHandler, type Recurring, snooze, untilDone } from "../../../jobs/define.ts"
import { second } from "../../../kernel/clock.ts"
import { yieldToEventLoop } from "../../../kernel/event-loop.ts"
import { reasonOf } from "../../../kernel/log.ts"
import { inSlices } from "../../../store/slices.ts"
import { SlowRead } from "../../../store/slow-read.ts"
import { isUnavailable, type Unit } from "../../../store/writer.ts"
import type { StoreCount } from "../counting.ts"
import type { LiveContacts } from "../evaluate/live.ts"
import type { Trees } from "../evaluate/trees.ts"
import { deleteSomeMembers } from "../members/store.ts"
import { isRecorded, isTracked } from "../rules.ts"
import { createSegmentGraph } from "../segment-graph.ts"
import { findRule, listAllRules, listAllTracked, nextProject, type Rule, saveComputeError } from "../store.ts"
import type { Recompute } from "./recompute.ts"

/** Computes all segments of all projects. */
const computeSegments = defineJob("segment.compute", Type.Object({}))
/** Computes all segments of a project that took too long among those of all projects. */
const computeProject = defineJob("segment.compute-project", Type.Object({ projectId: Type.String() }), {
  concurrency: 2,
  perProject: 1,
})
/** Deletes the recorded members of a segment that is deleted or no longer tracked. */
const purgeMembers = defineJob(
  "segment.purge",
  Type.Object({ projectId: Type.String(), segmentId: Type.String() }),
  untilDone,
)

/** Members that one unit of work deletes. */
export const purgeSlice = 500

/** How long the segments of other projects wait for those of one. */
const turnMs = 10 * second

interface SegmentJobDeps extends Pick<Engine, "store" | "clock" | "jobs" | "log" | "config"> {
  readonly live: LiveContacts
  readonly trees: Trees
  readonly recompute: Recompute
  readonly storeCount: StoreCount
}

/** The periodic computation of all segments (contract B3.4.1, B3.4.3), and the deletion of members in the background. */
export function createSegmentJobs({
  store,
  clock,
  jobs,
  log,
  config,
  live,
  trees,
  recompute,
  storeCount,
}: SegmentJobDeps) {
  /** Projects whose segments this process computes by a job of their own. */
  const alone = new Set<string>()

  /** Renews the count of a segment, after its membership where that is tracked. */
  async function compute(rule: Rule, abort: AbortSignal): Promise<void> {
    if (isTracked(rule)) await recompute(rule, abort)
    if (abort.aborted) return
    await storeCount(rule, () => (isRecorded(rule) ? live.countRecorded(rule) : live.countIn(rule)))
  }

  /**
   * Computes segments in this order, until the `turn` is over. One that fails, also by taking longer than the turn, is
   * logged and does not keep the others from being computed.
   */
  async function computeEach(segments: readonly Rule[], abort: AbortSignal, turn = abort): Promise<void> {
    for (const { id, projectId } of segments) {
      if (turn.aborted) return
      try {
        const rule = await findRule(store.read, projectId, id)
        if (rule) await compute(rule, turn)
      } catch (cause) {
        if (abort.aborted || isUnavailable(cause)) throw cause
        if (cause instanceof SlowRead)
          await store.write(projectId, (unit) => saveComputeError(unit, projectId, id, cause.message))
        else log.error("A segment could not be computed", { segment: id, reason: reasonOf(cause) })
      }
      await yieldToEventLoop()
    }
  }

  const computeOf = async (project: string, abort: AbortSignal, turn = abort): Promise<void> =>
    computeEach(dependenciesFirst(await listAllRules(store.read, project), trees), abort, turn)

  /** Computes the segments of a project for a while; what takes longer is left to a job of its own. */
  async function takeTurn(project: string, abort: AbortSignal): Promise<void> {
    const [turn, over] = [new AbortController(), new AbortController()]
    void clock.sleep(turnMs, over.signal).then(() => {
      if (!over.signal.aborted) turn.abort()
    })
    await computeOf(project, abort, AbortSignal.any([abort, turn.signal])).finally(() => over.abort())
    if (!turn.signal.aborted || abort.aborted) return
    await store.write(project, async (unit) => {
      const uniqueKey = `${computeProject.name}:${project}`
      await jobs.enqueue(unit, computeProject, { projectId: project }, { uniqueKey })
    })
  }

  async function computeAll(abort: AbortSignal): Promise<void> {
    let project = await nextProject(store.read, "")
    for (; project !== undefined && !abort.aborted; project = await nextProject(store.read, project))
      if (!alone.has(project)) await takeTurn(project, abort)
  }

  /** Whether members may join or leave by time alone; the segments that are named are not read for it. */
  function dependsOnClock({ condition }: Rule): boolean {
    const needs = condition === null ? undefined : trees(condition).needs
    return needs !== undefined && (needs.clock || needs.segments.size > 0)
  }

  /** Computes those of these segments, and of all that they name, that are tracked and may change by time alone. */
  async function computeTimed(projectId: string, ids: ReadonlySet<string>, abort: AbortSignal): Promise<void> {
    if (ids.size === 0) return
    const rules = await listAllRules(store.read, projectId)
    const graph = createSegmentGraph(rules, trees)
    const isLedTo = (rule: Rule) => [...ids].some((id) => graph.reaches(id, rule.id))
    const timed = dependenciesFirst(rules, trees).filter((rule) => isTracked(rule) && dependsOnClock(rule))
    await computeEach(timed.filter(isLedTo), abort)
  }

  const handlers: JobHandler[] = [
    handles(computeSegments, async (_, abort) => {
      await computeAll(abort)
      return abort.aborted ? snooze(0) : done
    }),
    handles(computeProject, async ({ projectId }, abort) => {
      alone.add(projectId)
      await computeOf(projectId, abort).finally(() => alone.delete(projectId))
      return abort.aborted ? snooze(0) : done
    }),
    handles(purgeMembers, async ({ projectId, segmentId }, abort) => {
      const step = async (unit: Unit, limit: number): Promise<number> => {
        const rule = await findRule(unit.db, projectId, segmentId)
        return rule && isRecorded(rule) ? 0 : deleteSomeMembers(unit, segmentId, limit)
      }
      const { isOver } = await inSlices(store, projectId, step, { size: purgeSlice, abort })
      return isOver ? done : snooze(0)
    }),
  ]

  const dependsOnTime = async (): Promise<boolean> => (await listAllTracked(store.read)).some(dependsOnClock)

  const recurring: Recurring[] = [{ kind: computeSegments, every: config.segments.computeMs, dependsOnTime }]

  return {
    handlers,
    recurring,
    computeTimed,
    /** Has the members deleted of a segment that this unit deletes, or stops tracking. */
    schedulePurge: (unit: Unit, projectId: string, segmentId: string) =>
      jobs.enqueue(unit, purgeMembers, { projectId, segmentId }),
  }
}

/** Orders segments so that each comes after those it names: then one pass is enough for all of them. */
function dependenciesFirst(rules: readonly Rule[], trees: Trees): Rule[] {
  const byId = new Map(rules.map((rule) => [rule.id, rule]))
  const ordered = new Set<Rule>()
  const visited = new Set<Rule>()
  function visit(rule: Rule): void {
    if (visited.has(rule)) return
    visited.add(rule)
    for (const id of rule.condition === null ? [] : trees(rule.condition).needs.segments) {
      const named = byId.get(id)
      if (named) visit(named)
    }
    ordered.add(rule)
  }
  for (const rule of rules) visit(rule)
  return [...ordered]
}
