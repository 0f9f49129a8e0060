import { expect, test } from "bun:test"
import { existsSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { folderInUse, lockFolder } from "../../src/store/lock.ts"
import { scratch } from "../harness/store.ts"

const folder = scratch()
const lockFile = join(import.meta.dir, "../../src/store/lock.ts")

/** Another process that takes the lock, says so, and does nothing more. */
async function otherProcess(home: string, holder: string) {
  const script = `
    import { lockFolder } from ${JSON.stringify(lockFile)}
    globalThis.held = lockFolder(${JSON.stringify(home)}, ${JSON.stringify(holder)})
    process.stdout.write("locked")
    setInterval(() => {}, 1000)`
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" })
  const reader = child.stdout.getReader()
  const { value } = await reader.read()
  expect(new TextDecoder().decode(value)).toBe("locked")
  return child
}

test("a folder is locked by one process, a second one gets its name, and kill -9 releases it", async () => {
  const home = folder()
  const child = await otherProcess(home, "process 4711")
  expect(() => lockFolder(home, "the test")).toThrow(
    expect.objectContaining({
      code: folderInUse,
      message: expect.stringContaining(`${home} is in use by process 4711.`),
    }),
  )
  child.kill("SIGKILL")
  await child.exited
  lockFolder(home, "the test").release()
})

test("within a process, too, a folder is held once, and free again when released", () => {
  const home = folder()
  const lock = lockFolder(home, "the first")
  expect(() => lockFolder(home, "the second")).toThrow("in use by the first")
  lock.release()
  const again = lockFolder(home, "the second")
  expect(() => lockFolder(home, "the third")).toThrow("in use by the second")
  again.release()
})

test("the files of a lock are for the owner only", () => {
  const home = folder()
  const lock = lockFolder(home, "the test")
  for (const name of ["mailstead.lock", "mailstead.pid"])
    expect([name, (statSync(join(home, name)).mode & 0o777).toString(8)]).toEqual([name, "600"])
  lock.release()
})

test("a lock that cannot be created is not reported as held by another process", () => {
  const home = folder()
  const missing = join(home, "missing")
  expect(() => lockFolder(missing, "the test")).toThrow(
    expect.objectContaining({ code: "STORE_UNUSABLE", message: expect.stringContaining(missing) }),
  )
  expect(existsSync(missing)).toBe(false)
  writeFileSync(join(home, "mailstead.lock"), "This is a text and no database of any kind.".repeat(100))
  expect(() => lockFolder(home, "the test")).toThrow(expect.objectContaining({ code: "STORE_UNUSABLE" }))
})
