import { expect, test } from "bun:test"
import { settledFirst } from "../../src/net/settled-first.ts"

test("a request goes out only when what was committed before it is on disk", async () => {
  const disk = Promise.withResolvers<void>()
  const asked: unknown[][] = []
  const outbound = settledFirst({ settled: () => disk.promise }, async (...request) => {
    asked.push(request)
    return { outcome: "refused", reason: "no" }
  })
  const answer = outbound("https://example.com/hook", { method: "POST" })
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
  expect(asked).toEqual([])
  disk.resolve()
  expect(await answer).toEqual({ outcome: "refused", reason: "no" })
  expect(asked).toEqual([["https://example.com/hook", { method: "POST" }]])
})
