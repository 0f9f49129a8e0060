import { type Static, Type } from "@sinclair/typebox"
import { day } from "../../kernel/clock.ts"
import { yieldToEventLoop } from "../../kernel/event-loop.ts"
import { type Log, reasonOf } from "../../kernel/log.ts"
import { inSlices } from "../../store/slices.ts"
import type { Store } from "../../store/store.ts"
import { isUnavailable, type Unit } from "../../store/writer.ts"
import { defineJob, done, handles, type JobHandler, type Outcome, snooze } from "../define.ts"
import type { JobValues, TrackedStore } from "./store.ts"
import type { TrackedJob } from "./table.ts"

const payload = Type.Object({ projectId: Type.String(), jobId: Type.String() })

/**
 * A kind of tracked job. Two run at once, so that a short one need not wait for a long one. The queue sets no limit to
 * attempts: `maxVainRuns` does.
 */
export const defineTrackedJob = (name: string) =>
  defineJob(name, payload, { attempts: Number.MAX_SAFE_INTEGER, concurrency: 2 })

/** The job that deletes old tracked jobs of a kind. */
export const defineSweepJob = (name: string) => defineJob(name, Type.Object({}))

/** Runs in a row that may begin without storing a slice, before a job that ends its process each time is given up. */
const maxVainRuns = 20
/** How long a finished job can be read (contract A5.15.3). */
const readableMs = 30 * day
/** Old jobs deleted per unit: each may have a thousand errors. */
const size = 20

/** Why a job cannot be done, in words for the client: nothing is wrong with the server. */
export class JobFault extends Error {}

export interface TrackedDeps<Job extends TrackedJob, Slice> {
  readonly store: Store
  readonly log: Log
  readonly run: ReturnType<typeof defineTrackedJob>
  readonly sweep: ReturnType<typeof defineSweepJob>
  readonly jobs: TrackedStore<Job>
  /** Reads through all there is to do before anything is changed; resolves to what is stored of it. May throw a `JobFault`. */
  readonly measure: (job: Job) => Promise<JobValues<Job>>
  /** What is left to do, in slices that one unit of work takes. */
  readonly slices: (job: Job) => AsyncIterable<Slice>
  /** Does a slice and advances the job, in one unit; resolves to the job after it. */
  readonly apply: (job: Job, slice: Slice) => Promise<Job>
  /** What is stored when the job ends; `fault` is undefined unless it failed. */
  readonly finish: (unit: Unit, jobId: string, fault: unknown) => Promise<void>
  /** Called after the end, and again when a run finds the job finished: removes what only the work needed. */
  readonly cleanUp?: (jobId: string) => Promise<void>
}

/**
 * Jobs whose progress a client can follow. The work is done slice by slice; progress is stored with each slice, so that a
 * run that was cut off is continued where it stood.
 */
export function createTrackedHandlers<Job extends TrackedJob, Slice>(deps: TrackedDeps<Job, Slice>): JobHandler[] {
  const { store, log, jobs, cleanUp = async () => {} } = deps

  /** Whether the end was reached. */
  async function work(found: Job, abort: AbortSignal): Promise<boolean> {
    if (found.vainRuns > maxVainRuns) throw new Error("It was interrupted too often.")
    if (found.status === "queued") {
      const values = await deps.measure(found)
      await store.write(found.projectId, (unit) => jobs.start(unit, found.id, values))
    }
    let job = found
    for await (const slice of deps.slices(found)) {
      if (abort.aborted) return false
      job = await deps.apply(job, slice)
      // Requests and deliveries are served between slices: a slice takes milliseconds, all of them may take minutes.
      await yieldToEventLoop()
    }
    return true
  }

  async function run({ projectId, jobId }: Static<typeof payload>, abort: AbortSignal): Promise<Outcome> {
    const finish = (fault?: unknown) => store.write(projectId, (unit) => deps.finish(unit, jobId, fault))
    const job = await store.write(projectId, (unit) => jobs.begin(unit, projectId, jobId))
    if (job !== undefined)
      try {
        if (!(await work(job, abort))) return snooze(0)
        await finish()
      } catch (fault) {
        if (isUnavailable(fault)) throw fault
        if (!(fault instanceof JobFault))
          log.error("A job failed", { kind: deps.run.name, jobId, reason: reasonOf(fault) })
        await finish(fault)
      }
    await cleanUp(jobId)
    return done
  }

  return [
    handles(deps.run, run),
    handles(deps.sweep, async () => {
      await inSlices(store, "instance", (unit, limit) => jobs.deleteFinished(unit, unit.now - readableMs, limit), {
        size,
      })
      return done
    }),
  ]
}
