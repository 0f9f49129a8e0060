import { expect, test } from "bun:test"
import { torture } from "./torture/torture.ts"

/** A small generator (mulberry32), so that a failing run can be repeated with its seed. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

test("twenty kills at random moments lose nothing that was acknowledged and double nothing", async () => {
  const tally = await torture({ kills: 20, clients: 16, random: seeded(20) })
  expect(tally.broken).toEqual([])
  expect(tally.acknowledged).toBeGreaterThan(500)
  expect(tally.repeated).toBeLessThan(20 * 16)
})
