import { afterAll, beforeAll, expect, test } from "bun:test"
import { join } from "node:path"
import { type RunningMailstead, startMailstead } from "../harness/mailstead.ts"

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

test.each(Object.entries(runs))("the example for %s walks through a month", async (name, command) => {
  const child = Bun.spawn([...command], {
    cwd: examples,
    env: { PATH: process.env.PATH ?? "", MAILSTEAD_URL: sandbox.url },
    stdout: "pipe",
    stderr: "pipe",
  })
  const [out, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  expect([code, out + errors]).toEqual([
    0,
    expect.stringMatching(name === "pytest" ? /(?:passed test_\w+\s+){2}/ : /2 pass/),
  ])
})
