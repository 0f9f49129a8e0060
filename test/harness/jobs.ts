import { Type } from "@sinclair/typebox"
import { asc, eq } from "drizzle-orm"
import {
  defineJob,
  handles,
  type JobHandler,
  type JobLimits,
  type Outcome,
  type Recurring,
} from "../../src/jobs/define.ts"
import { createJobs, type Jobs } from "../../src/jobs/jobs.ts"
import type { Job } from "../../src/jobs/queue.ts"
import { jobTable } from "../../src/jobs/table.ts"
import type { Ids } from "../../src/kernel/ids.ts"
import type { Store } from "../../src/store/store.ts"
import { sequentialIds } from "./ids.ts"
import { type LogRecord, recordingLog, type TestStore } from "./store.ts"

/** A kind of job whose payload is a name, and may be a project. */
export const named = (limits: Partial<JobLimits> = {}, name = "test.run") =>
  defineJob(name, Type.Object({ name: Type.String(), projectId: Type.Optional(Type.String()) }), limits)

export type NamedKind = ReturnType<typeof named>

export const runs = (kind: NamedKind, run: (name: string, signal: AbortSignal) => Promise<Outcome>): JobHandler =>
  handles(kind, ({ name }, signal) => run(name, signal))

interface JobsOptions {
  readonly random?: () => number
  readonly recurring?: readonly Recurring[]
  readonly ids?: Ids
  /** In place of the test's own, to make it fail. */
  readonly through?: Store
}

interface TestJobs {
  readonly jobs: Jobs
  readonly records: LogRecord[]
  /** Adds a job for each name. */
  add(kind: NamedKind, ...names: string[]): Promise<void>
  /** The jobs of a name, oldest first. */
  rows(name: string): Promise<Job[]>
  /** The one job of a name. */
  row(name: string): Promise<Job | undefined>
}

/** The jobs of a process that starts on this store. */
export async function startJobs(
  store: TestStore,
  handlers: readonly JobHandler[],
  { random = () => 0.5, recurring = [], ids = sequentialIds(), through = store }: JobsOptions = {},
): Promise<TestJobs> {
  const { log, records } = recordingLog()
  const jobs = createJobs({ store: through, clock: store.clock, ids, log, random })
  jobs.register(handlers, recurring)
  await jobs.open()
  const rows = async (name: string): Promise<Job[]> => {
    const all = await store.read.select().from(jobTable).where(eq(jobTable.kind, "test.run")).orderBy(asc(jobTable.id))
    return all.filter(({ payload }) => (payload as { name: string }).name === name)
  }
  return {
    jobs,
    records,
    async add(kind, ...names) {
      for (const name of names) await store.write("instance", (unit) => jobs.enqueue(unit, kind, { name }))
    },
    rows,
    row: async (name) => (await rows(name))[0],
  }
}
