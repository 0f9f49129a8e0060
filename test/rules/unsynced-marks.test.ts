import { expect, test } from "bun:test"
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createUnsyncedMarks, readUnsyncedMarks } from "../../src/store/unsynced-marks.ts"
import { scratch } from "../harness/store.ts"

const folder = scratch()
const idsOf = (count: number): string[] => Array.from({ length: count }, () => Bun.randomUUIDv7())
const ownerOf = (name = folder()) => ({ folder: name, node: crypto.randomUUID() })
const read = (owner: ReturnType<typeof ownerOf>): string[] | undefined => {
  const found = readUnsyncedMarks(owner, "marks")
  return found && [...found.keys()].toSorted()
}

test("ids that were marked and not removed are read, also more than the file began with", () => {
  const owner = ownerOf()
  const marks = createUnsyncedMarks(owner, "marks")
  expect(read(owner)).toEqual([])
  const ids = idsOf(1_000)
  for (const id of ids) marks.set(id, 1)
  expect(read(owner)).toEqual(ids)
  for (const id of ids.slice(0, 990)) marks.remove(id)
  expect([marks.has(ids[0] ?? ""), marks.has(ids[999] ?? "")]).toEqual([false, true])
  const later = idsOf(5)
  for (const id of [...later, ...later]) marks.set(id, 1)
  expect(read(owner)).toEqual([...ids.slice(990), ...later])
  marks.close()
})

test("the file has the places of what is in it at once, and only its owner reads it", () => {
  const owner = ownerOf()
  const marks = createUnsyncedMarks(owner, "marks")
  const { size } = statSync(join(owner.folder, "marks"))
  for (const id of idsOf(2_000)) {
    marks.set(id, 1)
    marks.remove(id)
  }
  expect(statSync(join(owner.folder, "marks"))).toMatchObject({ size, mode: 0o100600 })
  marks.close()
})

test("a mark is replaced in its place", () => {
  const owner = ownerOf()
  const marks = createUnsyncedMarks(owner, "marks")
  const [id = "", other = ""] = idsOf(2)
  marks.set(id, 1)
  marks.set(other, 1)
  marks.set(id, 255)
  expect(readUnsyncedMarks(owner, "marks")).toEqual(
    new Map([
      [id, 255],
      [other, 1],
    ]),
  )
  marks.close()
})

test("a new set begins with nothing", () => {
  const owner = ownerOf()
  const first = createUnsyncedMarks(owner, "marks")
  first.set(Bun.randomUUIDv7(), 1)
  first.close()
  createUnsyncedMarks(owner, "marks").close()
  expect(read(owner)).toEqual([])
})

test("nothing is concluded from a file of another run of the system or another node, from a part of one, or from none", () => {
  const owner = ownerOf()
  const marks = createUnsyncedMarks(owner, "marks")
  const [id = ""] = idsOf(1)
  marks.set(id, 1)
  marks.close()
  const path = join(owner.folder, "marks")
  const whole = readFileSync(path)
  expect(readUnsyncedMarks({ ...owner, node: crypto.randomUUID() }, "marks")).toBeUndefined()
  expect(read(owner)).toEqual([id])
  const ofOtherRun = Buffer.from(whole)
  ofOtherRun.write(crypto.randomUUID())
  for (const content of [ofOtherRun, whole.subarray(0, 100), Buffer.alloc(0)]) {
    writeFileSync(path, content)
    expect(readUnsyncedMarks(owner, "marks")).toBeUndefined()
  }
  rmSync(path)
  expect(readUnsyncedMarks(owner, "marks")).toBeUndefined()
})

test("an id that cannot be written is refused, until it can", () => {
  const owner = ownerOf(join(folder(), "later"))
  const marks = createUnsyncedMarks(owner, "marks")
  const [id = "", other = ""] = idsOf(2)
  expect(() => marks.set(id, 1)).toThrow("ENOENT")
  expect(marks.has(id)).toBe(false)
  mkdirSync(owner.folder)
  marks.set(id, 1)
  marks.set(other, 1)
  expect(read(owner)).toEqual([id, other])
  marks.close()
  expect(() => marks.set(Bun.randomUUIDv7(), 1)).toThrow("The server stops.")
  marks.remove(id)
  expect([marks.has(id), read(owner)]).toEqual([true, [id, other]])
})
