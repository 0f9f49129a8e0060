import { describe, expect, test } from "bun:test"
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { conflict, DomainError } from "../../src/kernel/errors.ts"
import { contentOf, openFiles } from "../../src/store/files.ts"
import { scratch, until } from "../harness/store.ts"

const folder = scratch()
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const everything = (home: string): string[] =>
  readdirSync(home, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isFile() ? entry.name : []))

test("bytes are stored under their SHA-256 and read back unchanged", async () => {
  const files = openFiles(folder())
  const hash = await files.keep(bytes("abc"))
  expect(hash).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  expect(await files.read(hash)).toEqual(Buffer.from("abc"))
  const nothing = await files.keep(new Uint8Array())
  expect((await files.read(nothing)).byteLength).toBe(0)
  const large = crypto.getRandomValues(new Uint8Array(65_536))
  expect(Buffer.from(large).equals(await files.read(await files.keep(large)))).toBe(true)
})

test("equal bytes are stored once, also by concurrent calls", async () => {
  const home = folder()
  const files = openFiles(home)
  const hashes = await Promise.all(Array.from({ length: 20 }, () => files.keep(bytes("once"))))
  expect(new Set(hashes).size).toBe(1)
  expect(everything(home)).toEqual([...new Set(hashes)])
})

test("files are for the owner only", async () => {
  const home = folder()
  const hash = await openFiles(home).keep(bytes("secret"))
  const places = [join("files"), join("files", hash.slice(0, 2)), join("files", hash.slice(0, 2), hash)]
  expect(places.map((place) => (statSync(join(home, place)).mode & 0o777).toString(8))).toEqual(["700", "700", "600"])
})

test("removing is permanent and may be repeated, and the bytes can be stored again", async () => {
  const files = openFiles(folder())
  const hash = await files.keep(bytes("gone"))
  await files.remove(hash)
  await files.remove(hash)
  await expect(files.read(hash)).rejects.toThrow("ENOENT")
  expect(await files.keep(bytes("gone"))).toBe(hash)
  expect(await files.read(hash)).toEqual(Buffer.from("gone"))
})

test("named files are in their own folder, and are listed, read in pieces and removed by name", async () => {
  const home = folder()
  const uploads = openFiles(home).named("uploads")
  expect(await uploads.list()).toEqual([])
  const large = crypto.getRandomValues(new Uint8Array(65_537))
  await uploads.save("one", large)
  await uploads.save("two", bytes(""))
  expect((await uploads.list()).sort()).toEqual(["one", "two"])
  const pieces = await Array.fromAsync(uploads.read("one"))
  expect(pieces.map(({ byteLength }) => byteLength)).toEqual([65_536, 1])
  expect(Buffer.concat(pieces).equals(large)).toBe(true)
  expect((statSync(join(home, "uploads", "one")).mode & 0o777).toString(8)).toBe("600")
  await uploads.remove("one")
  await uploads.remove("one")
  expect([await uploads.has("one"), await uploads.has("two")]).toEqual([false, true])
})

test("a failed write is refused as unavailable and leaves nothing, and storing works again later", async () => {
  const home = folder()
  const files = openFiles(home)
  const hash = new Bun.CryptoHasher("sha256").update("abc").digest("hex")
  mkdirSync(join(home, "files"))
  writeFileSync(join(home, "files", hash.slice(0, 2)), "A file where a folder should be.")
  await expect(files.keep(bytes("abc"))).rejects.toMatchObject({ kind: "unavailable", code: "STORE_UNAVAILABLE" })
  rmSync(join(home, "files", hash.slice(0, 2)))
  expect(everything(home)).toEqual([])
  expect(await files.keep(bytes("abc"))).toBe(hash)
})

test("a file that could be written only in part leaves nothing behind", () => {
  const home = folder()
  const source = join(import.meta.dir, "../../src/store/files.ts")
  const script = `
    import { openFiles } from ${JSON.stringify(source)}
    await openFiles(${JSON.stringify(home)}).keep(new Uint8Array(1_000_000)).catch((cause) => {
      process.stdout.write(cause.message)
    })`
  const limited = `trap '' XFSZ; ulimit -f 8; exec "$0" -e "$1"`
  const child = Bun.spawnSync(["sh", "-c", limited, process.execPath, script])
  expect(child.stdout.toString()).toContain("A file could not be stored (EFBIG).")
  expect(everything(home)).toEqual([])
})

test("half-written files of an earlier process are removed at the next start", async () => {
  const home = folder()
  const hash = await openFiles(home).keep(bytes("abc"))
  writeFileSync(join(home, "files", "drafts", "half"), "ab")
  const files = openFiles(home)
  expect(everything(home)).toEqual([hash])
  expect(await files.read(hash)).toEqual(Buffer.from("abc"))
})

test("a file that was kept again meanwhile is not removed", async () => {
  const home = folder()
  let at = 1_000_000
  const files = openFiles(home, { clock: { now: () => at } })
  const [old, used] = [await files.keep(bytes("old")), await files.keep(bytes("used"))]
  const listed: string[] = []
  for await (const hash of files.list()) listed.push(hash)
  expect(listed.sort()).toEqual([old, used].sort())
  at += 1_000
  await files.keep(bytes("used"))
  expect([old, used].map((hash) => files.removeUnlessKeptSince(hash, at))).toEqual([3, undefined])
  expect(files.removeUnlessKeptSince(old, at)).toBeUndefined()
  expect(everything(home)).toEqual([used])
})

describe("contents that are kept for rows", () => {
  const [content, other] = [contentOf(bytes("content")), contentOf(bytes("other"))]
  const refusal = () => Promise.reject(conflict("The rows are refused."))

  test("stay when the rows are stored, and new ones are removed when they are refused", async () => {
    const home = folder()
    const files = openFiles(home)
    expect(await files.keepFor([content], async () => (await files.read(content.hash)).byteLength)).toBe(7)
    await expect(files.keepFor([content, other, other], refusal)).rejects.toThrow("refused")
    expect(everything(home)).toEqual([content.hash])
  })

  test("stay when it is unknown whether the rows are stored", async () => {
    const home = folder()
    const files = openFiles(home)
    const unavailable = new DomainError("unavailable", "STORE_UNAVAILABLE", "The disk is gone.")
    await expect(files.keepFor([content], () => Promise.reject(unavailable))).rejects.toThrow("disk")
    await expect(files.keepFor([other], () => Promise.reject(new Error("Unknown")))).rejects.toThrow("Unknown")
    expect(everything(home).sort()).toEqual([content.hash, other.hash].sort())
  })

  test("are all removed when one of them cannot be stored", async () => {
    const home = folder()
    const files = openFiles(home)
    mkdirSync(join(home, "files"))
    const blocked = join(home, "files", other.hash.slice(0, 2))
    writeFileSync(blocked, "A file where a folder should be.")
    const name = () => Promise.reject(new Error("Reached"))
    await expect(files.keepFor([content, other], name)).rejects.toMatchObject({ kind: "unavailable" })
    rmSync(blocked)
    expect(everything(home)).toEqual([])
  })

  test.each([
    ["refused first", ["refused", "accepted"]],
    ["accepted first", ["accepted", "refused"]],
  ])("stay when of two calls at once one is accepted, %s", async (_, order) => {
    const home = folder()
    const files = openFiles(home)
    const ends = { refused: Promise.withResolvers<void>(), accepted: Promise.withResolvers<void>() }
    const refused = files.keepFor([content], () => ends.refused.promise.then(refusal)).catch(() => {})
    const accepted = files.keepFor([content], () => ends.accepted.promise)
    for (const one of order) {
      ends[one as keyof typeof ends].resolve()
      await (one === "refused" ? refused : accepted)
    }
    expect(everything(home)).toEqual([content.hash])
    await expect(files.keepFor([content], refusal)).rejects.toThrow("refused")
    expect(everything(home)).toEqual([content.hash])
  })

  test("are removed when all calls at once are refused, and can be kept again", async () => {
    const home = folder()
    const files = openFiles(home)
    await Promise.all(Array.from({ length: 20 }, () => files.keepFor([content], refusal).catch(() => {})))
    expect(everything(home)).toEqual([])
    await files.keepFor([content], async () => {})
    expect(everything(home)).toEqual([content.hash])
  })
})

/** Files whose folders are synced when the test says so. */
function openWithGate(home: string) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const synced: string[] = []
  const files = openFiles(home, {
    async syncFolder(path) {
      await promise
      synced.push(path)
    },
  })
  return { files, synced, open: resolve }
}

test("bytes that another call is storing are kept when their name is on disk", async () => {
  const { files, synced, open } = openWithGate(folder())
  const kept: number[] = []
  const calls = [1, 2].map(() => files.keep(bytes("once")).then(() => kept.push(synced.length)))
  await until(async () => (await Array.fromAsync(files.list())).length === 1)
  expect(kept).toEqual([])
  open()
  await Promise.all(calls)
  expect(kept.every((before) => before > 0)).toBe(true)
})

test("a name that an earlier process has left is synced, once for each folder", async () => {
  const home = folder()
  const hash = await openFiles(home).keep(bytes("left"))
  const { files, synced, open } = openWithGate(home)
  open()
  for (let n = 0; n < 2; n++) await files.keep(bytes("left"))
  expect(synced).toEqual([join(home, "files", hash.slice(0, 2))])
})
