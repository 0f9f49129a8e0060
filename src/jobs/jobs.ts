import type { Static, TSchema } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { type Clock, day, earliest } from "../kernel/clock.ts"
import type { Ids } from "../kernel/ids.ts"
import type { Log } from "../kernel/log.ts"
import { createLoop, type Loop } from "../kernel/loop.ts"
import type { ClockCorrection } from "../store/clock-correction.ts"
import type { Lease } from "../store/lease.ts"
import { createPoll } from "../store/poll.ts"
import { type EachSlice, eachSlice } from "../store/slices.ts"
import type { Store } from "../store/store.ts"
import type { Unit } from "../store/writer.ts"
import { jobClockCorrections } from "./clock-correction.ts"
import type { JobHandler, JobKind, Recurring } from "./define.ts"
import {
  claimJobs,
  countPending,
  deleteFinishedJobs,
  deleteJobsOf,
  freeJobs,
  freeLapsed,
  insertJob,
  type Job,
  listDueKinds,
  listLapsed,
  listWaiting,
  mayClaim,
  nextDueOf,
  nextLapseOf,
} from "./queue.ts"
import { enqueueDue, nextTimeOf, nextTimeOfAny } from "./recurring.ts"
import { createRunner, type JobRun } from "./runner.ts"

export interface Jobs {
  /**
   * Adds a job in the unit of the change that requires it. False when a job with its unique key is already waiting or
   * running.
   */
  enqueue<S extends TSchema>(
    unit: Unit,
    kind: JobKind<S>,
    payload: Static<S>,
    options?: EnqueueOptions,
  ): Promise<boolean>
  register(handlers: readonly JobHandler[], recurring?: readonly Recurring[]): void
  /** Frees the jobs that the previous process held. Called once, before the first drain. */
  open(): Promise<void>
  /**
   * Runs due jobs, including those they add, until there are none; resolves to the number of runs. `isPassing` leaves
   * recurring work that does not depend on the time for a later call.
   */
  drain(isPassing?: boolean): Promise<number>
  /** Waits for the jobs that are running, whoever started them; resolves to their number. */
  settled(): Promise<number>
  /** The number of waiting jobs, due or not. Reads an index entry for each, off the event loop. */
  countPending(): Promise<number>
  /** The payloads of the jobs of a kind that wait, due or not, without those that run. */
  waiting<S extends TSchema>(kind: JobKind<S>): Promise<Static<S>[]>
  /** When the next job, or recurring work that depends on the time, is due, in ms; undefined when none is planned. */
  nextDueAt(): Promise<number | undefined>
  /** Calls the listener after each run in this process; returns a function that ends it. */
  watchRuns(listener: (run: JobRun) => void): () => void
  /** Deletes the jobs of a project except the running ones, which find their data deleted. */
  erase(unit: Unit, projectId: string): Promise<void>
  /** Deletes jobs that finished over 30 days ago (contract B10). */
  prune(each?: EachSlice): Promise<void>
  readonly clockCorrections: readonly ClockCorrection[]
  readonly loop: Loop
  stop(graceMs: number): Promise<void>
}

interface EnqueueOptions {
  /** Not before this time, in ms, chosen by a user: it is not corrected when the clock is set back. */
  runAt?: number
  /** Not before this many ms from now. Without either the job is due at once. */
  delayMs?: number
  /** While a job with this key waits or runs, another is not added. */
  uniqueKey?: string
}

interface Parts {
  store: Store
  clock: Clock
  ids: Ids
  log: Log
  random: () => number
}

export function createJobs({ store, clock, ids, log, random }: Parts): Jobs {
  const handlers = new Map<string, JobHandler>()
  const recurring: Recurring[] = []
  const listeners = new Set<(run: JobRun) => void>()
  const ended = (run: JobRun) => {
    for (const listener of listeners) listener(run)
  }
  const runner = createRunner({ store, clock, log, random, handlers, ended })
  const poll = createPoll({ store, clock }, nextAt)
  const loop = createLoop({ clock, log, name: "jobs", idleMs: 1_000, step: () => poll(tick) })

  const leaseOf = ({ limits }: JobKind): Lease => ({ owner: store.node, ms: limits.leaseMs })

  /** Claims due jobs, as many of each kind as may run concurrently. */
  async function claim(): Promise<Job[]> {
    await freeAbandoned()
    const free = [...handlers.values()].map(({ kind }) => kind).filter((kind) => runner.capacity(kind) > 0)
    const names = free.map(({ name }) => name)
    const due = new Set(await listDueKinds(store.read, names, clock.now()))
    const kinds: JobKind[] = []
    for (const kind of free) if (due.has(kind.name) && (await isClaimable(kind))) kinds.push(kind)
    if (kinds.length === 0) return []
    return store.write("instance", async (unit) => {
      const claimed: Job[] = []
      for (const kind of kinds) claimed.push(...(await claimKind(unit, kind)))
      return claimed
    })
  }

  async function claimKind(unit: Unit, kind: JobKind): Promise<Job[]> {
    const { perProject } = kind.limits
    const free = runner.capacity(kind)
    if (perProject === undefined) return claimJobs(unit, kind.name, free, leaseOf(kind))
    const claimed: Job[] = []
    while (claimed.length < free) {
      const busy = runner.busyProjects(kind, claimed)
      const [job] = await claimJobs(unit, kind.name, 1, leaseOf(kind), busy)
      if (job === undefined) break
      claimed.push(job)
    }
    return claimed
  }

  /** Whether a job of a kind that is due may run: each commit would begin a unit while those of busy projects wait. */
  async function isClaimable(kind: JobKind): Promise<boolean> {
    if (kind.limits.perProject === undefined) return true
    const busy = runner.busyProjects(kind, [])
    return busy.length === 0 || mayClaim(store.read, kind.name, clock.now(), busy)
  }

  /** Frees jobs whose lease has expired, except those that are still running in this process. */
  async function freeAbandoned(): Promise<void> {
    const ids = (await listLapsed(store.read, clock.now())).filter((id) => !runner.runs(id))
    if (ids.length > 0) await store.write("instance", (unit) => freeLapsed(unit, ids))
  }

  /** The step of the loop: starts due jobs without waiting for them. It runs again when one has ended. */
  async function tick(): Promise<void> {
    await enqueueDue(store, clock, recurring, enqueueEntry)
    for (const job of await claim()) void runner.run(job).then(loop.wake)
  }

  /** When the next job is due or abandoned, or the next recurring work begins. */
  async function nextAt(): Promise<number | undefined> {
    const times = [await nextTimeOfAny(store.read, recurring), await nextLapseOf(store.read)]
    for (const kind of handlers.keys()) times.push(await nextDueOf(store.read, kind))
    return earliest(times)
  }

  async function drain(isPassing = false): Promise<number> {
    const entries = isPassing ? recurring.filter(({ dependsOnTime }) => dependsOnTime) : recurring
    let runs = 0
    for (;;) {
      await enqueueDue(store, clock, entries, enqueueEntry)
      const claimed = await claim()
      if (claimed.length === 0) return runs
      await Promise.all(claimed.map((job) => runner.run(job)))
      runs += claimed.length
    }
  }

  const enqueueEntry = async (unit: Unit, { kind }: Recurring): Promise<void> => {
    await jobs.enqueue(unit, kind, {}, { uniqueKey: `recurring:${kind.name}` })
  }

  const jobs: Jobs = {
    loop,
    clockCorrections: jobClockCorrections({ handlers, recurring }),
    drain,
    settled: runner.settled,
    async nextDueAt() {
      const times = [await nextTimeOf(store.read, recurring)]
      for (const kind of handlers.keys()) times.push(await nextDueOf(store.read, kind))
      return earliest(times)
    },
    countPending: () => store.readPool.read("instance", countPending),
    waiting: async (kind) =>
      (await listWaiting(store.read, kind.name)).filter((payload) => Value.Check(kind.payload, payload)),
    watchRuns(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async enqueue(unit, kind, payload, { runAt, delayMs = 0, uniqueKey } = {}) {
      if (!Value.Check(kind.payload, payload)) throw new Error(`The payload does not fit the job ${kind.name}.`)
      const times =
        runAt === undefined ? { runAt: unit.now + delayMs, plannedAt: unit.now } : { runAt, plannedAt: null }
      const job = { id: ids.next(), kind: kind.name, payload: payload as unknown, uniqueKey: uniqueKey ?? null }
      const added = await insertJob(unit, { ...job, ...times })
      if (added) unit.afterCommit(loop.wake)
      return added
    },
    register(more, table = []) {
      for (const handler of more) handlers.set(handler.kind.name, handler)
      recurring.push(...table)
    },
    open: () => store.write("instance", (unit) => freeJobs(unit, store.node)),
    erase: deleteJobsOf,
    async prune(each = eachSlice(store)) {
      await each((unit, limit) => deleteFinishedJobs(unit, unit.now - 30 * day, limit))
    },
    async stop(graceMs) {
      await loop.stop()
      await runner.stop(graceMs)
    },
  }
  return jobs
}
