import { expect, test } from "bun:test"
import { createRememberedAnswers } from "../../src/http/remembered.ts"

test("an answer is made again once anything was committed, and for each name", async () => {
  let [version, made] = [1, 0]
  const answer = createRememberedAnswers({ changes: () => version })
  const make = async () => ({ made: ++made })
  expect([await answer("one", make), await answer("one", make)]).toEqual(['{"made":1}', '{"made":1}'])
  expect(await answer("two", make)).toBe('{"made":2}')
  version++
  expect([await answer("one", make), await answer("two", make)]).toEqual(['{"made":3}', '{"made":4}'])
})

test("requests that come while an answer is made share it, unless something was committed meanwhile", async () => {
  let [version, made] = [1, 0]
  const answer = createRememberedAnswers({ changes: () => version })
  const { promise, resolve } = Promise.withResolvers<number>()
  const make = () => (made++ === 0 ? promise : Promise.resolve(made))
  const early = [answer("one", make), answer("one", make)]
  version++
  const late = answer("one", make)
  resolve(1)
  expect(await Promise.all([...early, late])).toEqual(["1", "1", "2"])
})

test("a refusal is not remembered", async () => {
  const answer = createRememberedAnswers({ changes: () => 1 })
  await expect(answer("one", () => Promise.reject(new Error("refused")))).rejects.toThrow("refused")
  expect(await answer("one", async () => "made")).toBe('"made"')
})
