import { afterAll, beforeAll, expect, test } from "bun:test"
import { join } from "node:path"
import { type RunningMailstead, startMailstead } from "../harness/mailstead.ts"
import { ended } from "../harness/processes.ts"

const examples = join(import.meta.dir, "../../config/examples")

let sandbox: RunningMailstead
beforeAll(async () => {
  sandbox = await startMailstead(["sandbox", "--clock", "manual", "--port", "0", "--smtp-port", "0"])
})
afterAll(() => sandbox.stop())

/** Runs every function of the file whose name begins with `test_`, as pytest does. */
const asPytest = `
import runpy, sys
for name, test in runpy.run_path(sys.argv[1]).items():
    if name.startswith("test_"):
        test()
        print("passed", name)
`

/** Bun runs the tests of Vitest's API itself. */
const runs: Readonly<Record<string, readonly string[]>> = {
  Vitest: [process.execPath, "test", "--timeout=30000", join(examples, "clock.test.js")],
  pytest: ["python3", "-c", asPytest, join(examples, "test_clock.py")],
}

async function run(command: readonly string[], url: string) {
  const child = Bun.spawn([...command], {
    cwd: examples,
    env: { PATH: process.env.PATH ?? "", MAILSTEAD_URL: url },
    stdout: "pipe",
    stderr: "pipe",
  })
  const { code, stdout, stderr } = await ended(child)
  return { code, said: stdout + stderr }
}

test.each(Object.entries(runs))("the example for %s walks through a month", async (name, command) => {
  const { code, said } = await run(command, sandbox.url)
  expect([code, said]).toEqual([0, expect.stringMatching(name === "pytest" ? /(?:passed test_\w+\s+){2}/ : /2 pass/)])
})

test.each(Object.entries(runs))(
  "the example for %s says when the clock stopped on the way (contract A8.3.8)",
  async (_, command) => {
    const stopped = { complete: false, now: "2026-01-31T09:15:00.000Z", happened: [] }
    const made = { id: "1", data: { emails: [{ email: "1" }] } }
    const slow = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: ({ url }) => Response.json(url.endsWith("/sandbox/clock") ? stopped : made),
    })
    const { code, said } = await run(command, slow.url.origin).finally(() => slow.stop(true))
    expect([code, said]).toEqual([
      1,
      expect.stringContaining("The clock stopped on the way, at 2026-01-31T09:15:00.000Z"),
    ])
  },
)
