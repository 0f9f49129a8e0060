import { expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { keepManualTime, manualTimeOf } from "../../src/store/manual-time.ts"
import { scratch } from "../harness/store.ts"

const folder = scratch()
const at = Date.UTC(2026, 5, 1)

test("the time of a manual clock is kept until the folder follows the real time again", () => {
  const home = folder()
  expect(manualTimeOf(home)).toBeUndefined()
  for (const time of [at, at + 1]) {
    keepManualTime(home, time)
    expect(manualTimeOf(home)).toBe(time)
  }
  keepManualTime(home, undefined)
  expect(manualTimeOf(home)).toBeUndefined()
})

test("a time that could not be written leaves the one before, and nothing else", () => {
  const home = folder()
  keepManualTime(home, at)
  const source = join(import.meta.dir, "../../src/store/manual-time.ts")
  const script = `import { keepManualTime } from ${JSON.stringify(source)}
    keepManualTime(${JSON.stringify(home)}, ${at + 1})`
  // A limit of no blocks per file, with the signal of it ignored, makes every write fail as on a full disk.
  const limited = `trap '' XFSZ; ulimit -f 0; exec "$0" -e "$1"`
  const child = Bun.spawnSync(["sh", "-c", limited, process.execPath, script])
  expect([child.exitCode, child.stderr.toString()]).toEqual([1, expect.stringContaining("clock: file too large.")])
  expect([manualTimeOf(home), readdirSync(home)]).toEqual([at, ["clock"]])
})
