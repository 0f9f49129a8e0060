import { expect, test } from "bun:test"
import { createEventListeners } from "../../src/modules/workflows/engine/listeners.ts"

test("The names of a project whose workflows have had thousands take no more memory: every event is then looked up (contract B5.4)", () => {
  const listeners = createEventListeners()
  const name = (n: number) => `event-${n}`
  for (let n = 0; n < 10_000; n++) listeners.add("shop", name(n))
  expect([listeners.concerns("shop", name(9_999)), listeners.concerns("shop", name(10_000))]).toEqual([true, false])
  for (const n of [10_000, 10_001]) listeners.add("shop", name(n))
  const concerned = [name(0), name(10_001), name(1_000_000)].map((each) => listeners.concerns("shop", each))
  expect(concerned).toEqual([true, true, true])
  expect(listeners.concerns("other", name(0))).toBe(false)
})
