import type { TestApp } from "./app.ts"

interface RunningJobs {
  /** Resolves when the started jobs have ended, or the app has stopped. */
  readonly over: Promise<unknown>
}

/** Starts the jobs and resolves as soon as `reached` is true, while the jobs are still running. */
export async function runJobsUntil(it: TestApp, reached: () => Promise<boolean>): Promise<RunningJobs> {
  const over = it.app.jobs.drain().catch(() => {})
  while (!(await reached())) await new Promise(setImmediate)
  return { over }
}
