import { expect, test } from "bun:test"
import { join } from "node:path"
import { createTestReport } from "../../config/test-report.ts"
import { scratch, until } from "../harness/store.ts"

const folder = scratch()

const files = {
  "one.test.ts": `let attempts = 0
    test("passes", () => {})
    test("depends on the order", () => expect(++attempts).toBe(2))
    describe("a group", () => test("fails", () => expect(1).toBe(2)))`,
  "two.test.ts": `test("hangs", () => new Promise(() => setInterval(() => {}, 1_000)))`,
}

test("a run of tests that is ended has told which tests failed", async () => {
  const root = folder()
  for (const [name, text] of Object.entries(files))
    await Bun.write(join(root, name), `import { describe, expect, test } from "bun:test"\n${text}`)
  const options = [
    "--retry=1",
    "--parallel=2",
    "--parallel-delay=0",
    "--no-isolate",
    "--no-orphans",
    "--timeout=100000",
  ]
  const child = Bun.spawn([process.execPath, "test", ...options, ...Object.keys(files).map((name) => `./${name}`)], {
    cwd: root,
    env: { PATH: process.env.PATH ?? "" },
    stdout: "ignore",
    stderr: "pipe",
  })
  const report = createTestReport()
  const reading = (async () => {
    for await (const line of linesOf(child.stderr)) report.read(line)
  })()
  await until(() => report.told().failures.length > 0)
  child.kill()
  await Promise.all([child.exited, reading])
  expect(report.told()).toEqual({
    passed: 2,
    failed: 1,
    failures: ["one.test.ts: a group > fails"],
    unstable: ["depends on the order"],
  })
})

async function* linesOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let rest = ""
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n")
    rest = lines.pop() ?? ""
    yield* lines
  }
}

test("the totals of a run count, and an error between its tests is a failure of its file", () => {
  const report = createTestReport()
  for (const line of [
    "test/a.test.ts:",
    "\u001b[32m✓\u001b[0m one [1.00ms]",
    "# Unhandled error between tests",
    "",
    "test/b.test.tsx:",
    "\u001b[31m✗\u001b[0m two (attempt 2) [0.06ms]",
    "test/c.test.ts:",
    "2 tests failed:",
    "\u001b[31m✗\u001b[0m two (attempt 2) [0.06ms]",
    " 12 pass",
    " 3 fail",
  ])
    report.read(line)
  expect(report.told()).toEqual({
    passed: 12,
    failed: 3,
    failures: ["test/a.test.ts: Unhandled error between tests", "test/b.test.tsx: two"],
    unstable: [],
  })
})
