import { type Static, Type } from "@sinclair/typebox"
import { day } from "../../kernel/clock.ts"
import { yieldToEventLoop } from "../../kernel/event-loop.ts"
import { type Log, reasonOf } from "../../kernel/log.ts"
import { createSemaphore } from "../../kernel/semaphore.ts"
import { inSlices } from "../../store/slices.ts"
import type { Store } from "../../store/store.ts"
import { isUnavailable, type Unit } from "../../store/writer.ts"
import { defineJob, done, handles, type JobHandler, type Outcome, snooze } from "../define.ts"
import type { JobValues, TrackedStore } from "./store.ts"
import type { TrackedJob } from "./table.ts"

const payload = Type.Object({ projectId: Type.String(), jobId: Type.String() })

/**
 * A kind of tracked job. Two of a project run concurrently, so that a short one need not wait for a long one. Attempts are
 * limited by `maxIdleRuns`, not by the queue.
 */
export const defineTrackedJob = (name: string) =>
  defineJob(name, payload, { attempts: Number.MAX_SAFE_INTEGER, concurrency: 8, perProject: 2 })

/** The job that deletes old tracked jobs of a kind. */
export const defineSweepJob = (name: string) => defineJob(name, Type.Object({}))

/**
 * The number of consecutive runs without a stored slice after which a job, which may crash its process each time,
 * fails.
 */
const maxIdleRuns = 20
/** How long a finished job can be read (contract A5.15.3). */
const readableMs = 30 * day
/** The number of old jobs deleted per unit; each may have a thousand errors. */
const size = 20

/** Slices of a kind that are done at a time, in turns of the jobs: requests wait for as many, however many jobs run. */
const slicesAtOnce = 2

/** A reason why a job cannot be done, shown to the client; not a fault of the server. */
export class JobFault extends Error {}

export interface TrackedDeps<Job extends TrackedJob, Slice> {
  readonly store: Store
  readonly log: Log
  readonly run: ReturnType<typeof defineTrackedJob>
  readonly sweep: ReturnType<typeof defineSweepJob>
  readonly jobs: TrackedStore<Job>
  /** Determines all work before anything is changed; resolves to the values to store. May throw a `JobFault`. */
  readonly measure: (job: Job) => Promise<JobValues<Job>>
  /** The remaining work, in slices for one unit each. */
  readonly slices: (job: Job) => AsyncIterable<Slice>
  /** Does a slice and advances the job, in one unit; resolves to the job after it. */
  readonly apply: (job: Job, slice: Slice) => Promise<Job>
  /** Stores the end of the job; `fault` is undefined unless it failed. */
  readonly finish: (unit: Unit, jobId: string, fault: unknown) => Promise<void>
  /** Called after the end, and again when a run finds the job finished: removes data that only the job needed. */
  readonly cleanUp?: (jobId: string) => Promise<void>
}

/**
 * Jobs whose progress a client can follow. The work is done slice by slice; progress is stored with each slice, so that
 * an interrupted run continues from there.
 */
export function createTrackedHandlers<Job extends TrackedJob, Slice>(deps: TrackedDeps<Job, Slice>): JobHandler[] {
  const { store, log, jobs, cleanUp = async () => {} } = deps
  const turns = createSemaphore(slicesAtOnce)

  /** Resolves to whether the end was reached. */
  async function work(found: Job, abort: AbortSignal): Promise<boolean> {
    if (found.idleRuns > maxIdleRuns) throw new Error("It was interrupted too often.")
    if (found.status === "queued") {
      const values = await deps.measure(found)
      await store.write(found.projectId, (unit) => jobs.start(unit, found.id, values))
    }
    let job = found
    for await (const slice of deps.slices(found)) {
      if (!(await turns.acquire(abort))) return false
      job = await deps.apply(job, slice).finally(turns.release)
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
