import { describe, expect, test } from "bun:test"
import { Readable } from "node:stream"
import { zstdCompressSync } from "node:zlib"
import { readArchive, textEntry, writeArchive } from "../../src/store/backup/archive.ts"
import { type TarEntry, tarHeader } from "../../src/store/backup/tar.ts"

async function* sequence(entries: readonly TarEntry[]) {
  yield* entries
}

async function write(entries: readonly TarEntry[]): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  await writeArchive(sequence(entries), undefined, async (bytes) => {
    for await (const piece of bytes) pieces.push(piece)
  })
  return Buffer.concat(pieces)
}

async function read(bytes: Uint8Array): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  await readArchive(Readable.from([bytes]), undefined, async (name, content) => {
    found[name] = await new Response(Readable.from(content) as never).text()
  })
  return found
}

const hash = "ab".repeat(32)
const entries = () => [
  textEntry("backup.json", "{}"),
  textEntry("mode", "serve"),
  textEntry(`files/ab/${hash}`, "x"),
  textEntry("mailstead.db", "data"),
]

/** A tar file that others could have made. */
function crafted(files: readonly { name: string; type?: string; content?: string }[]): Uint8Array {
  const blocks = files.flatMap(({ name, type, content = "" }) => [
    tarHeader({ name, bytes: content.length }, type),
    Buffer.from(content.padEnd(Math.ceil(content.length / 512) * 512, "\0")),
  ])
  return zstdCompressSync(Buffer.concat([...blocks, Buffer.alloc(1_024)]))
}

describe("the archive of a backup", () => {
  test("gives back its entries", async () => {
    expect(await read(await write(entries()))).toEqual({
      "backup.json": "{}",
      mode: "serve",
      [`files/ab/${hash}`]: "x",
      "mailstead.db": "data",
    })
  })

  test("is refused wherever it was cut off or a bit was changed, unless that has no effect on any entry", async () => {
    const whole = await write(entries())
    const found = await read(whole)
    let refused = 0
    for (let at = 0; at < whole.length; at++) {
      const changed = Buffer.from(whole)
      changed[at] = (changed[at] ?? 0) ^ 4
      for (const bytes of [changed, whole.subarray(0, at)]) {
        const outcome = await read(bytes).catch((cause: Error) => cause.message)
        if (typeof outcome === "string") {
          expect(outcome).toContain("damaged")
          refused++
        } else expect(outcome).toEqual(found)
      }
    }
    // Without effect are the flag of the checksum, and the checksum and the filling at the end.
    expect(refused).toBeGreaterThan(2 * whole.length - 40)
  })

  test.each([
    ["a name that leads out of the folder", { name: "../mailstead.db" }],
    ["an absolute name", { name: "/etc/passwd" }],
    ["a name that is not in the list", { name: "mailstead.pid" }],
    ["a file whose name is no hash", { name: "files/ab/abc" }],
    ["a link", { name: "mailstead.db", type: "2" }],
    ["a folder", { name: "files/ab", type: "5" }],
    ["a second entry of the same name", { name: "mode", content: "serve" }],
  ] as const)("is refused for %s", async (_, header) => {
    const bytes = crafted([{ name: "backup.json", content: "{}" }, { name: "mode", content: "serve" }, header])
    expect(read(bytes)).rejects.toThrow("damaged")
  })

  test("is refused without its end, and with something behind it", async () => {
    expect(read(crafted([{ name: "backup.json", content: "{}" }]))).rejects.toThrow("damaged")
    const end = JSON.stringify({ entries: 0, bytes: 0, sha256: new Bun.CryptoHasher("sha256").digest("hex") })
    expect(read(crafted([{ name: "end.json", content: end }]))).rejects.toThrow("damaged")
  })

  test("has files beyond 8 GB in the binary form that tar programs know", () => {
    const header = tarHeader({ name: "mailstead.db", bytes: 9 * 2 ** 30 })
    const [listed] = Bun.spawnSync(["tar", "-tvf", "-"], { stdin: header }).stdout.toString().split("\n")
    expect(listed).toMatch(/ 9663676416 .* mailstead\.db$/)
  })

  test("is not written when the content of an entry fails", async () => {
    async function* failing(): AsyncIterable<Uint8Array> {
      yield Buffer.from("da")
      throw new Error("The disk cannot be read")
    }
    const faulty = [...entries().slice(0, 3), { name: "mailstead.db", bytes: 4, content: failing() }]
    expect(write(faulty)).rejects.toThrow("The disk cannot be read")
  })
})
