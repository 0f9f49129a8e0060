import { expect, test } from "bun:test"
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createUnsyncedMarks, readUnsyncedMarks } from "../../src/store/unsynced-marks.ts"
import { scratch } from "../harness/store.ts"

const folder = scratch()
const now = 1_769_850_900_000
const idsOf = (count: number): string[] => Array.from({ length: count }, () => Bun.randomUUIDv7())
const ownerOf = (name = folder()) => ({ folder: name, node: crypto.randomUUID() })
const read = (owner: ReturnType<typeof ownerOf>): string[] | undefined => {
  const found = readUnsyncedMarks(owner)
  return found && [...found.keys()].toSorted()
}

test("ids that were marked and not removed are read, also more than the file began with", () => {
  const owner = ownerOf()
  const marks = createUnsyncedMarks(owner)
  expect(read(owner)).toEqual([])
  const ids = idsOf(1_000)
  for (const id of ids) marks.set(id, 1, now)
  expect(read(owner)).toEqual(ids)
  for (const id of ids.slice(0, 990)) marks.remove(id)
  expect([marks.timeOf(ids[0] ?? ""), marks.timeOf(ids[999] ?? "")]).toEqual([undefined, now])
  const later = idsOf(5)
  for (const id of [...later, ...later]) marks.set(id, 1, now)
  expect(read(owner)).toEqual([...ids.slice(990), ...later])
  marks.close()
})

test("the file has the places of what is in it at once, and only its owner reads it", () => {
  const owner = ownerOf()
  const marks = createUnsyncedMarks(owner)
  const { size } = statSync(join(owner.folder, "begun"))
  for (const id of idsOf(2_000)) {
    marks.set(id, 1, now)
    marks.remove(id)
  }
  expect(statSync(join(owner.folder, "begun"))).toMatchObject({ size, mode: 0o100600 })
  marks.close()
})

test("a mark is replaced in its place, and keeps its time", () => {
  const owner = ownerOf()
  const marks = createUnsyncedMarks(owner)
  const [id = "", other = ""] = idsOf(2)
  marks.set(id, 1, now)
  marks.set(other, 1, now)
  marks.set(id, 255, now + 1)
  expect(readUnsyncedMarks(owner)).toEqual(
    new Map([
      [id, { mark: 255, at: now }],
      [other, { mark: 1, at: now }],
    ]),
  )
  marks.close()
})

test("a new set begins with nothing", () => {
  const owner = ownerOf()
  const first = createUnsyncedMarks(owner)
  first.set(Bun.randomUUIDv7(), 1, now)
  first.close()
  createUnsyncedMarks(owner).close()
  expect(read(owner)).toEqual([])
})

test("nothing is concluded from a file of another run of the system or another node, from a part of one, or from none", () => {
  const owner = ownerOf()
  const marks = createUnsyncedMarks(owner)
  const [id = ""] = idsOf(1)
  marks.set(id, 1, now)
  marks.close()
  const path = join(owner.folder, "begun")
  const whole = readFileSync(path)
  expect(readUnsyncedMarks({ ...owner, node: crypto.randomUUID() })).toBeUndefined()
  expect(read(owner)).toEqual([id])
  const ofOtherRun = Buffer.from(whole)
  ofOtherRun.write(crypto.randomUUID())
  for (const content of [ofOtherRun, whole.subarray(0, 100), Buffer.alloc(0)]) {
    writeFileSync(path, content)
    expect(readUnsyncedMarks(owner)).toBeUndefined()
  }
  rmSync(path)
  expect(readUnsyncedMarks(owner)).toBeUndefined()
})

test("an id that cannot be written is refused, until it can", () => {
  const owner = ownerOf(join(folder(), "later"))
  const marks = createUnsyncedMarks(owner)
  const [id = "", other = ""] = idsOf(2)
  expect(() => marks.set(id, 1, now)).toThrow("ENOENT")
  expect(marks.timeOf(id)).toBeUndefined()
  mkdirSync(owner.folder)
  marks.set(id, 1, now)
  marks.set(other, 1, now)
  expect(read(owner)).toEqual([id, other])
  marks.close()
  expect(() => marks.set(Bun.randomUUIDv7(), 1, now)).toThrow("The server stops.")
  marks.remove(id)
  expect([marks.timeOf(id), read(owner)]).toEqual([now, [id, other]])
})
