import { describe, expect, test } from "bun:test"
import { openWith, sealWith } from "../../src/store/backup/seal.ts"

const frame = 65_536
const head = 35
const tag = 16

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const gather = async (source: AsyncIterable<Uint8Array>) => {
  const pieces: Uint8Array[] = []
  for await (const piece of source) pieces.push(piece)
  return Buffer.concat(pieces)
}

const content = (bytes: number) => Buffer.from(Array.from({ length: bytes }, (_, at) => at % 251))
const seal = (bytes: Uint8Array) => gather(sealWith("correct horse", { logN: 4, r: 8, p: 1 })(inPieces(bytes, 10_000)))
const open = (bytes: Uint8Array, passphrase = "correct horse") => gather(openWith(passphrase)(inPieces(bytes, 7_777)))

describe("an encrypted stream", () => {
  test("opens to what was sealed, at every kind of length", async () => {
    for (const length of [0, 1, frame - 1, frame, frame + 1, 2 * frame]) {
      const bytes = content(length)
      expect((await open(await seal(bytes))).equals(bytes)).toBe(true)
    }
  })

  test("differs each time, and shows nothing of its content", async () => {
    const bytes = content(1_000)
    const [one, other] = [await seal(bytes), await seal(bytes)]
    expect(one.subarray(head).equals(other.subarray(head))).toBe(false)
    expect(one.includes(bytes.subarray(100, 120))).toBe(false)
  })

  test("is refused with another passphrase", async () => {
    expect(open(await seal(content(10)), "wrong horse")).rejects.toThrow("passphrase is not that of this backup")
  })

  test("is refused when it was cut off, also between two frames", async () => {
    const whole = await seal(content(3 * frame))
    for (const end of [10, head, head + 5, head + frame + tag, head + 2 * (frame + tag), whole.length - 1])
      expect(open(whole.subarray(0, end))).rejects.toThrow(/damaged/)
  })

  test("is refused when frames change places, are repeated or left out", async () => {
    const whole = await seal(content(3 * frame + 5))
    const [first, second, third, last] = [0, 1, 2, 3].map((n) =>
      whole.subarray(head + n * (frame + tag), head + (n + 1) * (frame + tag)),
    )
    if (!first || !second || !third || !last) throw new Error("Four frames were expected")
    const start = whole.subarray(0, head)
    for (const frames of [
      [first, third, second, last],
      [first, second, second, third, last],
      [first, third, last],
      [second, third, last],
    ])
      expect(open(Buffer.concat([start, ...frames]))).rejects.toThrow(/damaged/)
  })

  test("is refused when any part of it is changed", async () => {
    const whole = await seal(content(frame + 100))
    for (const at of [9, 15, 30, head, head + frame, head + frame + tag, whole.length - 1]) {
      const changed = Buffer.from(whole)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(open(changed)).rejects.toThrow(/damaged|memory/)
    }
  })
})
