import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { join } from "node:path"
import { watchDataVersion } from "../../src/store/sqlite/data-version.ts"
import { scratch } from "../harness/store.ts"

const folder = scratch()

/** Of a connection, and a commit by another one. */
function prepare() {
  const path = join(folder(), "a.db")
  const other = new Database(path)
  other.run("CREATE TABLE t (n)")
  const version = watchDataVersion(new Database(path))
  return { version, commit: () => other.run("INSERT INTO t VALUES (1)") }
}

test("a commit of another connection is seen in the next turn of the event loop", async () => {
  const { version, commit } = prepare()
  const before = version.current()
  expect(version.current()).toBe(before)
  commit()
  await Bun.sleep(1)
  expect(version.current()).not.toBe(before)
})

test("it is seen while work between two turns goes on that has looked before", async () => {
  const { version, commit } = prepare()
  const [before, after] = await new Promise<number[]>((resolve) =>
    setImmediate(() => {
      const seen = version.current()
      commit()
      for (const began = performance.now(); performance.now() - began < 3; );
      resolve([seen, version.current()])
    }),
  )
  expect(after).not.toBe(before as number)
})
