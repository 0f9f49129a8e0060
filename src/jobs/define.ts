import type { Static, TSchema } from "@sinclair/typebox"

/** The outcome of one run, as data. A thrown error counts as `retry`. */
export type Outcome =
  | { readonly is: "done" }
  | { readonly is: "retry"; readonly reason: string }
  /** Runs again after `ms` without counting an attempt: for work in slices, or that waits for something. */
  | { readonly is: "snooze"; readonly ms: number }
  | { readonly is: "cancel"; readonly reason: string }

export const done: Outcome = { is: "done" }
export const retry = (reason: string): Outcome => ({ is: "retry", reason })
export const snooze = (ms: number): Outcome => ({ is: "snooze", ms })
export const cancel = (reason: string): Outcome => ({ is: "cancel", reason })

export interface JobLimits {
  /** The number of runs after which a job that asks for a retry fails. */
  readonly attempts: number
  /** How many jobs of this kind run concurrently. */
  readonly concurrency: number
  /**
   * How many of them run concurrently for one project, the `projectId` of the payload, so that a project with much work
   * does not block others. By default as many as of the kind.
   */
  readonly perProject?: number
  /** How long one run may go without its lease being renewed, in ms. */
  readonly leaseMs: number
}

/** For work that nothing else would do or continue: retried without limit, in the end once an hour. */
export const untilDone: Partial<JobLimits> = { attempts: Number.MAX_SAFE_INTEGER }

const usualLimits: JobLimits = { attempts: 10, concurrency: 1, leaseMs: 60_000 }

/** A kind of job, named `noun.verb`. The payload is an id or a few facts, never a document. */
export interface JobKind<S extends TSchema = TSchema> {
  readonly name: string
  readonly payload: S
  readonly limits: JobLimits
}

export const defineJob = <S extends TSchema>(
  name: string,
  payload: S,
  limits: Partial<JobLimits> = {},
): JobKind<S> => ({
  name,
  payload,
  limits: { ...usualLimits, ...limits },
})

/** The work of one kind. The signal aborts when the server stops: finish soon, or snooze. */
export interface JobHandler<S extends TSchema = TSchema> {
  readonly kind: JobKind<S>
  run(payload: Static<S>, signal: AbortSignal): Promise<Outcome>
}

export const handles = <S extends TSchema>(
  kind: JobKind<S>,
  run: (payload: Static<S>, signal: AbortSignal) => Promise<Outcome>,
): JobHandler => ({ kind, run: run as JobHandler["run"] })

/** Work that is enqueued regularly, under the name of its kind and with an empty payload. */
export interface Recurring {
  readonly kind: JobKind
  /** A cron line in UTC, or an interval in ms. */
  readonly every: string | number
  /**
   * Whether its result depends on the time at which it runs, so that a manual clock stops at each of its times. Other
   * entries are maintenance, which runs once at the end of a turn: they clean up, or continue missed work.
   */
  readonly dependsOnTime?: () => Promise<boolean>
}
