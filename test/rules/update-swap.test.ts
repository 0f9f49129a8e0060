import { expect, test } from "bun:test"
import { type SwapFiles, swap } from "../../src/commands/update/swap.ts"

const names = { executable: "mailstead.exe", next: "mailstead.exe.next", previous: "mailstead.exe.previous" }

/** Files as Windows treats them: one that is running may be renamed, but neither replaced nor deleted. */
function windows(contents: Record<string, string>, running: readonly string[], refused?: string) {
  const files = new Map(Object.entries(contents))
  const isRunning = (path: string) => running.includes(files.get(path) ?? "")
  const denied = (path: string) => Object.assign(new Error(`EPERM: ${path}`), { code: "EPERM" })
  const fs: SwapFiles = {
    link: (path) => {
      throw denied(path)
    },
    rename(from, to) {
      const content = files.get(from)
      if (content === undefined || isRunning(to) || from === refused) throw denied(to)
      files.delete(from)
      files.set(to, content)
    },
    remove(path) {
      if (isRunning(path)) throw denied(path)
      files.delete(path)
    },
  }
  return { files, update: () => swap(names, "win32", fs) }
}

const before = { "mailstead.exe": "old", "mailstead.exe.next": "new", "mailstead.exe.previous": "older" }

test("on Windows the running executable is moved away before the new one takes its place", () => {
  const it = windows(before, ["old"])
  it.update()
  expect(Object.fromEntries(it.files)).toEqual({ "mailstead.exe": "new", "mailstead.exe.previous": "old" })
})

test("on Windows the old executable comes back when the new one cannot take its place", () => {
  const it = windows(before, ["old"], "mailstead.exe.next")
  expect(it.update).toThrow("EPERM")
  expect(it.files.get("mailstead.exe")).toBe("old")
})

test("on Windows an executable from before that still runs is named, and nothing is changed", () => {
  const it = windows(before, ["old", "older"])
  expect(it.update).toThrow("restart the server first")
  expect(Object.fromEntries(it.files)).toEqual({ "mailstead.exe": "old", "mailstead.exe.previous": "older" })
})

test("elsewhere the old executable gets a second name before the new one replaces it", () => {
  const calls: string[] = []
  const call = (name: keyof SwapFiles) => (path: string, to?: string) => void calls.push(`${name} ${path} ${to}`)
  swap(names, "linux", { link: call("link"), rename: call("rename"), remove: call("remove") })
  expect(calls).toEqual(["link mailstead.exe mailstead.exe.previous", "rename mailstead.exe.next mailstead.exe"])
})
