import { Value } from "@sinclair/typebox/value"
import type { Clock } from "../kernel/clock.ts"
import { type Log, reasonOf } from "../kernel/log.ts"
import type { Store } from "../store/store.ts"
import { backoff } from "./backoff.ts"
import { type JobHandler, type JobKind, type Outcome, retry, snooze } from "./define.ts"
import { endRun, type Job, type JobEnd, renewLease } from "./queue.ts"

interface Runner {
  /** Runs a claimed job to its outcome and records it. Never rejects: a job that cannot be recorded keeps its lease. */
  run(job: Job): Promise<void>
  /** How many more jobs of a kind may run now. */
  capacity(kind: JobKind): number
  /** The projects for which no more jobs of a kind may run, beside those running and `more`. */
  busyProjects(kind: JobKind, more: readonly Job[]): string[]
  /** Whether this job is running here. */
  runs(id: string): boolean
  /** Resolves to the number of jobs that were running, once they have ended. */
  settled(): Promise<number>
  /**
   * Aborts the running jobs and waits for at most `graceMs`; jobs that do not end are freed when their lease expires.
   */
  stop(graceMs: number): Promise<void>
}

interface Parts {
  store: Store
  clock: Clock
  log: Log
  random: () => number
  handlers: ReadonlyMap<string, JobHandler>
  /** Called with each run whose outcome is stored. */
  ended: (run: JobRun) => void
}

/** A run of a job, and how it ended. */
export interface JobRun extends Pick<Job, "kind" | "payload"> {
  readonly outcome: Outcome["is"]
}

export function createRunner({ store, clock, log, random, handlers, ended }: Parts): Runner {
  // In memory because it describes what runs in this process; the lease in the row decides on the owner of a job.
  const underWay = new Map<string, { readonly job: Job; readonly over: Promise<void> }>()
  const stopping = new AbortController()

  async function perform(job: Job, abort: AbortSignal): Promise<Outcome> {
    const handler = handlers.get(job.kind)
    if (handler === undefined) return { is: "cancel", reason: `No handler for ${job.kind}.` }
    if (!Value.Check(handler.kind.payload, job.payload)) return { is: "cancel", reason: "The payload does not fit." }
    // An attempt without an outcome is a run that ended with its process.
    if (job.attempt > handler.kind.limits.attempts) return retry("It was interrupted too often.")
    try {
      return await handler.run(job.payload, abort)
    } catch (cause) {
      return abort.aborted ? snooze(0) : retry(reasonOf(cause))
    }
  }

  function endOf(job: Job, outcome: Outcome, now: number): JobEnd {
    const attempts = handlers.get(job.kind)?.kind.limits.attempts ?? 1
    switch (outcome.is) {
      case "done":
        return { state: "done", error: null }
      case "cancel":
        return { state: "cancelled", error: outcome.reason }
      case "snooze":
        return { state: "pending", runAt: now + outcome.ms, attempt: job.attempt - 1, error: null }
      case "retry": {
        const { reason: error } = outcome
        if (job.attempt >= attempts) return { state: "failed", error }
        return { state: "pending", runAt: now + backoff(job.attempt, random()), attempt: job.attempt, error }
      }
    }
  }

  /** Renews the lease until the run is over. Aborts the run when another node has the job. */
  async function keepLease(job: Job, over: AbortSignal, run: AbortController): Promise<void> {
    const ms = handlers.get(job.kind)?.kind.limits.leaseMs ?? 60_000
    for (;;) {
      await clock.sleep(ms / 3, over)
      if (over.aborted) return
      try {
        if (await store.write("instance", (unit) => renewLease(unit, job.id, { owner: store.node, ms }))) continue
        return run.abort()
      } catch (cause) {
        log.warn("A lease could not be renewed", { job: job.kind, reason: reasonOf(cause) })
      }
    }
  }

  async function runOne(job: Job): Promise<void> {
    const [run, over] = [new AbortController(), new AbortController()]
    const stop = () => run.abort()
    stopping.signal.addEventListener("abort", stop, { signal: over.signal })
    if (stopping.signal.aborted) stop()
    const lease = keepLease(job, over.signal, run)
    const outcome = await perform(job, run.signal)
    over.abort()
    await lease
    if (outcome.is === "retry")
      log.warn("A job failed and may be tried again", { job: job.kind, id: job.id, reason: outcome.reason })
    const recorded = await store.write("instance", (unit) =>
      endRun(unit, job.id, store.node, endOf(job, outcome, unit.now)),
    )
    if (recorded) ended({ kind: job.kind, payload: job.payload, outcome: outcome.is })
    else log.warn("A job's lease was lost before it ended", { job: job.kind, id: job.id })
  }

  const runningOf = (kind: JobKind): Job[] =>
    [...underWay.values()].flatMap(({ job }) => (job.kind === kind.name ? [job] : []))
  const allOver = () => Promise.all([...underWay.values()].map(({ over }) => over))

  return {
    capacity: (kind) => kind.limits.concurrency - runningOf(kind).length,
    busyProjects(kind, more) {
      const { perProject = kind.limits.concurrency } = kind.limits
      const projects = [...runningOf(kind), ...more].map(projectOf)
      const isBusy = (project: string) => projects.filter((each) => each === project).length >= perProject
      return [...new Set(projects)].filter(isBusy)
    },
    runs: (id) => underWay.has(id),
    settled: async () => (await allOver()).length,
    run(job) {
      const over = runOne(job)
        .catch((cause) => log.error("A job's outcome could not be stored", { job: job.kind, reason: reasonOf(cause) }))
        .finally(() => underWay.delete(job.id))
      underWay.set(job.id, { job, over })
      return over
    },
    async stop(graceMs) {
      stopping.abort()
      const grace = new AbortController()
      await Promise.race([allOver(), clock.sleep(graceMs, grace.signal)])
      grace.abort()
    },
  }
}

/** The project that a job names; empty when it names none. */
const projectOf = ({ payload }: Job): string => String((payload as { projectId?: unknown }).projectId ?? "")
