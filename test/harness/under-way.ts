import type { TestApp } from "./app.ts"

export interface UnderWay {
  /** Resolves when the jobs that were set going have ended, or the app has stopped. */
  readonly over: Promise<unknown>
}

/** Sets the jobs going and resolves as soon as `reached` says so, with the jobs still at work. */
export async function setGoing(it: TestApp, reached: () => Promise<boolean>): Promise<UnderWay> {
  const over = it.app.jobs.drain().catch(() => {})
  while (!(await reached())) await new Promise(setImmediate)
  return { over }
}
