import { expect, test } from "bun:test"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { killMailsteadAt, runMailstead, startServer } from "../harness/mailstead.ts"
import { scratch } from "../harness/store.ts"

const folder = scratch()

/** What a first start makes, in its order, under the names that it has on the way. */
const names = [
  "mode.new",
  "mode",
  "mailstead.db.new",
  "mailstead.db",
  "mailstead.db-wal",
  "node",
  "secret.new",
  "secret",
]

test.each(["?mkdir,?mkdirat", "write", "fsync", "?link,?linkat", "?rename,?renameat", "?unlink,?unlinkat"])(
  "a first start that is killed at any %s is followed by one that works",
  async (call) => {
    let kills = 0
    for (let wasKilled = true; wasKilled; ) {
      const data = join(folder(), "data")
      const files = [data, ...names.map((name) => join(data, name))]
      const create = ["project", "create", "Shop", "--data", data]
      wasKilled = await killMailsteadAt(create, { call, n: kills + 1, files })
      if (wasKilled) kills++
      // Which opens what the killed one may have sealed.
      expect(await runMailstead(create)).toMatchObject({ code: 0 })
    }
    expect(kills).toBeGreaterThan(0)
  },
)

test("a database that is empty because its first start was killed, as earlier versions left it, is made", async () => {
  const data = folder()
  writeFileSync(join(data, "mode"), "serve")
  writeFileSync(join(data, "mailstead.db"), "")
  expect(existsSync(join(data, "node"))).toBe(false)
  const server = await startServer(data)
  expect((await fetch(`${server.url}/health`)).status).toBe(200)
  expect(await server.stop()).toBe(0)
})
