import { expect, test } from "bun:test"
import { join } from "node:path"
import { scratch } from "../harness/store.ts"

const folder = scratch()

test("a run reports every test, also where Bun would report failures alone or in another form", async () => {
  const root = folder()
  const text = `import { expect, test } from "bun:test"
    let attempts = 0
    test("depends on the order", () => expect(++attempts).toBe(2))
    test("fails", () => expect(1).toBe(2))`
  await Bun.write(join(root, "one.test.ts"), text)
  const script = `import { runTests } from ${JSON.stringify(join(import.meta.dir, "../../config/test-run.ts"))}
    const run = await runTests({ root: process.cwd(), files: ["one.test.ts"], env: process.env })
    await Bun.write("run.json", JSON.stringify(run))`
  const child = Bun.spawn([process.execPath, "-e", script], {
    cwd: root,
    env: { PATH: process.env.PATH ?? "", AGENT: "1", GITHUB_ACTIONS: "true" },
    stdout: "ignore",
    stderr: "ignore",
  })
  expect(await child.exited).toBe(0)
  expect(await Bun.file(join(root, "run.json")).json()).toMatchObject({
    ...{ ok: false, passed: 1, failed: 1 },
    failures: ["one.test.ts: fails"],
    unstable: ["depends on the order"],
  })
})
