import { expect, test } from "bun:test"
import {
  createTrackedHandlers,
  defineSweepJob,
  defineTrackedJob,
  type TrackedDeps,
} from "../../src/jobs/tracked/run.ts"
import type { TrackedJob } from "../../src/jobs/tracked/table.ts"
import { yieldToEventLoop } from "../../src/kernel/event-loop.ts"

test("tracked jobs of many projects do their slices in turns, two at a time, so that requests wait for no more", async () => {
  const begun: string[] = []
  let [underWay, most] = [0, 0]
  const deps = {
    store: { write: (_: string, work: (unit: object) => unknown) => work({}) },
    run: defineTrackedJob("test.run"),
    sweep: defineSweepJob("test.sweep"),
    jobs: { begin: async (_: unknown, projectId: string, id: string) => ({ id, projectId, status: "processing" }) },
    async *slices() {
      yield* [1, 2]
    },
    async apply(job: TrackedJob) {
      begun.push(job.id)
      most = Math.max(most, ++underWay)
      await yieldToEventLoop()
      underWay--
      return job
    },
    finish: async () => {},
  }
  const [handler] = createTrackedHandlers(deps as unknown as TrackedDeps<TrackedJob, number>)
  const { signal } = new AbortController()
  await Promise.all(["a", "b", "c", "d"].map((id) => handler?.run({ projectId: id, jobId: id }, signal)))
  expect(most).toBe(2)
  expect(begun).toHaveLength(8)
  expect(begun.slice(0, 4)).toEqual(["a", "b", "c", "d"])
})
