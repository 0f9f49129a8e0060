import { beforeAll, expect, test } from "bun:test"
import { bundle } from "../harness/bundle.ts"
import { startProgram, startServer } from "../harness/mailstead.ts"
import { seeded } from "../harness/seeded.ts"
import { scratch } from "../harness/store.ts"
import { torture } from "./torture/torture.ts"

const folder = scratch()
let slowSyncs = ""
beforeAll(async () => {
  slowSyncs = await bundle("test/harness/slow-syncs.ts", folder())
})
const startWithSlowSyncs: typeof startServer = (data, env) => startProgram(slowSyncs, data, env)

// Two runs of ten, so that each ends in time on a slow machine. The seed says how many acknowledgements each kill waits
// for, here in sum; those that come until the process is gone depend on the machine.
test.each([
  ["at random moments", 20, 490, startServer],
  ["between commits and their syncs", 10, 356, startWithSlowSyncs],
] as const)(
  "ten kills %s lose nothing that was acknowledged and double nothing (seed %d)",
  async (_, seed, least, start) => {
    const tally = await torture({ kills: 10, clients: 16, random: seeded(seed), start })
    expect(tally.broken).toEqual([])
    expect(tally.acknowledged).toBeGreaterThanOrEqual(least)
    expect(tally.repeated).toBeLessThan(10 * 16)
  },
)
