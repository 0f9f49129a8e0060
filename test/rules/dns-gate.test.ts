import { expect, test } from "bun:test"
import { createGate } from "../../src/net/dns/gate.ts"

const patient = new AbortController().signal

test("a gate lets in as many as it has places, and the others in the order they came", async () => {
  const gate = createGate(2)
  const inside: string[] = []
  const enter = (name: string) => gate.enter(patient).then(() => inside.push(name))
  const all = Promise.all(["a", "b", "c", "d"].map(enter))
  await Promise.resolve()
  expect(inside).toEqual(["a", "b"])
  gate.leave()
  gate.leave()
  await all
  expect(inside).toEqual(["a", "b", "c", "d"])
})

test("who gives up before being let in takes nobody's place", async () => {
  const gate = createGate(1)
  const impatient = new AbortController()
  expect(await gate.enter(patient)).toBe(true)
  const first = gate.enter(impatient.signal)
  const second = gate.enter(patient)
  impatient.abort()
  expect(await first).toBe(false)
  gate.leave()
  expect(await second).toBe(true)
})

test("who has given up already is not let in, and a place that is free stays so", async () => {
  const gate = createGate(1)
  expect(await gate.enter(AbortSignal.abort())).toBe(false)
  expect(await gate.enter(patient)).toBe(true)
  gate.leave()
  expect(await gate.enter(patient)).toBe(true)
})
