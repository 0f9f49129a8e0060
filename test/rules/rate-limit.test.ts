import { expect, test } from "bun:test"
import { createRateLimit } from "../../src/http/rate-limit.ts"
import { minute } from "../../src/kernel/clock.ts"
import { createFakeClock } from "../harness/fake-clock.ts"

test("the windows of very many projects are counted, also when those that have ended are forgotten", async () => {
  const clock = createFakeClock()
  const { take } = createRateLimit({ requestsPerMinute: 2, publicRequestsPerMinute: 0 }, clock)
  const projects = Array.from({ length: 2_500 }, (_, at) => `p${at}`)
  const left = (projectId: string) => take(projectId, "secret")["RateLimit-Remaining"]
  for (const project of projects.slice(0, 900)) expect(left(project)).toBe("1")
  await clock.advance(minute - 1)
  for (const project of projects.slice(900)) expect(left(project)).toBe("1")
  await clock.advance(1)
  for (const project of projects.slice(0, 900)) expect(left(project)).toBe("1")
  for (const project of projects) expect(left(project)).toBe("0")
  for (const project of projects) expect(() => left(project)).toThrow("Too many requests")
})
