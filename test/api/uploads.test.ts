import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { constants, crc32, deflateRawSync } from "node:zlib"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { imageForm, imageOf, progressiveJpeg, uploadImage } from "../harness/images.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp({ settings: { "http.base_url": "https://mail.acme.test", "limits.uploads_mb": "1" } })
})
afterAll(() => it.close())

const kinds = [
  ["png", "image/png"],
  ["jpg", "image/jpeg"],
  ["gif", "image/gif"],
  ["webp", "image/webp"],
] as const

const show = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  it.app.fetch(new Request(`http://localhost${path}`, { method, headers }), "203.0.113.9")

/** Bytes after the end of a PNG belong to no picture, but count. */
const noise = async (seed: number) => Buffer.concat([await imageOf("png", seed), Buffer.alloc(600_000, seed)])

const stored = (): string[] =>
  readdirSync(join(it.folder, "files"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)

describe("POST /uploads/image", () => {
  test.each(kinds)(
    "takes a %s image and serves it at a public address (contract B7.3.1)",
    async (kind, contentType) => {
      const bytes = await imageOf(kind, 1)
      const { status, body } = await uploadImage(it, bytes, { name: `photo.${kind}`, type: contentType })
      expect([status, body]).toEqual([
        200,
        {
          url: `https://mail.acme.test/uploads/${body.key}`,
          key: expect.stringMatching(new RegExp(`^[0-9a-f-]{36}\\.${kind}$`)),
          filename: `photo.${kind}`,
          contentType,
          size: bytes.length,
        },
      ])
      const answer = await show(`/uploads/${body.key}`)
      expect([answer.status, Buffer.from(await answer.arrayBuffer())]).toEqual([200, bytes])
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        "content-type": contentType,
        "content-length": String(bytes.length),
        "cache-control": "public, max-age=31536000, immutable",
        "x-content-type-options": "nosniff",
        "content-security-policy": "sandbox; default-src 'none'",
        "cross-origin-resource-policy": "cross-origin",
        "content-disposition": `inline; filename="${body.key}"`,
      })
    },
  )

  test("judges by the content, not by name and type (contract B7.3.1)", async () => {
    const { body } = await uploadImage(it, await imageOf("jpg", 2), { name: "photo.png", type: "text/html" })
    expect([body.contentType, body.filename, body.key.endsWith(".jpg")]).toEqual(["image/jpeg", "photo.png", true])
  })

  test("gives the same image of a project the same address, and that of another project its own (contract B7.3.4)", async () => {
    const bytes = await imageOf("png", 3)
    const both = await Promise.all([uploadImage(it, bytes), uploadImage(it, bytes)])
    expect(both[0].body.key).toBe(both[1].body.key)
    const { secret } = await it.app.projects.create("Other")
    const other = await uploadImage(it, bytes, { key: secret })
    expect(other.status).toBe(200)
    expect(other.body.key).not.toBe(both[0].body.key)
    expect(stored().length).toBe(new Set(stored()).size)
  })

  test("takes a JPEG of 100 scans (contract B7.3.5)", async () => {
    const { status, body } = await uploadImage(it, progressiveJpeg(100))
    expect([status, body.contentType]).toEqual([200, "image/jpeg"])
  })

  test("takes a PNG without unpacking its text of 400 MB (contract B7.3.5)", async () => {
    const image = await imageOf("png", 10)
    const megabyte = deflateRawSync(Buffer.alloc(1_048_576), { finishFlush: constants.Z_SYNC_FLUSH })
    const text = Buffer.concat([Buffer.from("zTXta\0\0\x78\x01", "latin1"), ...Array(400).fill(megabyte)])
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(text.length - 4)
    checksum.writeUInt32BE(crc32(text))
    const afterHeader = 33
    const parts = [image.subarray(0, afterHeader), length, text, checksum, image.subarray(afterHeader)]
    const bytes = Buffer.concat(parts)
    const { status, body } = await uploadImage(it, bytes)
    expect([status, body.size]).toEqual([200, bytes.length])
    expect(Buffer.from(await (await show(`/uploads/${body.key}`)).arrayBuffer())).toEqual(bytes)
  })

  test("takes only the last part of a name", async () => {
    const { body } = await uploadImage(it, await imageOf("png", 4), { name: "../../etc/pass\twd.png" })
    expect(body.filename).toBe("passwd.png")
  })

  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  const bmp = Buffer.from(
    "424d3a000000000000003600000028000000010000000100000001001800000000000400000000000000000000000000000000000000ffffff00",
    "hex",
  )
  const bomb = async () => {
    const image = await imageOf("png", 5)
    image.writeUInt32BE(65_535, 16)
    image.writeUInt32BE(65_535, 20)
    return image
  }
  const animated = async () => {
    const image = Buffer.from(await imageOf("webp", 6))
    const extended = Buffer.from("VP8X\x0a\0\0\0\x02\0\0\0\x0f\0\0\x0f\0\0", "latin1")
    return Buffer.concat([image.subarray(0, 12), extended, image.subarray(12)])
  }
  test.each([
    ["SVG", () => svg],
    ["HTML with an image's name", () => "<html></html>"],
    ["HTML that begins like a GIF", () => "GIF89a/*<script>alert(1)</script>*/"],
    ["a format of Bun's that mail does not show", () => bmp],
    ["a PNG that ends early", async () => (await imageOf("png", 5)).subarray(0, 40)],
    ["a JPEG that ends early", async () => (await imageOf("jpg", 5, 200)).subarray(0, 150)],
    ["a GIF without an image", async () => (await imageOf("gif")).subarray(0, 20)],
    ["a WebP that ends early", async () => (await imageOf("webp", 5, 200)).subarray(0, 40)],
    ["the header of 4 billion pixels", bomb],
    ["an animated WebP, whose pictures are not decoded", animated],
    ["a JPEG of 101 scans", () => progressiveJpeg(101)],
    ["nothing", () => ""],
    ["a file over 10 MB", () => Buffer.alloc(10 * 1_048_576 + 1)],
  ])("refuses %s with 400, and stores nothing (contract B7.3.1, B7.3.5)", async (_, make) => {
    const before = stored()
    const { status, body } = await uploadImage(it, await make())
    expect([status, body.error.code]).toEqual([400, "BAD_REQUEST"])
    expect(stored()).toEqual(before)
  })

  test("refuses a form without the part, and JSON (contract B7.3.1)", async () => {
    const other = await it.api("POST /uploads/image", { raw: imageForm(await imageOf("png"), { part: "file" }) })
    const json = await it.api("POST /uploads/image", { body: { image: "x" } })
    expect([other.status, json.status]).toEqual([400, 400])
  })

  test("needs a secret key or a session", async () => {
    const image = await imageOf("png", 7)
    expect((await uploadImage(it, image, { key: "pk" })).status).toBe(401)
    expect((await uploadImage(it, image, { key: "none" })).status).toBe(401)
  })

  test("takes an image of another project before many large ones of one project", async () => {
    const large = await imageOf("png", 2, 3_000)
    const other = await it.app.projects.create("Other")
    let taken = 0
    const many = Array.from({ length: 12 }, async () => {
      expect((await uploadImage(it, large)).status).toBe(200)
      taken++
    })
    await Promise.race(many)
    expect((await uploadImage(it, await imageOf("png", 3), { key: other.secret })).status).toBe(200)
    expect(taken).toBeLessThan(6)
    await Promise.all(many)
  })

  test("refuses images beyond the limit of the project (contract B7.3.5)", async () => {
    const { secret: key } = await it.app.projects.create("Full")
    expect((await uploadImage(it, await noise(1), { key })).status).toBe(200)
    const before = stored()
    const second = await uploadImage(it, await noise(2), { key })
    expect([second.status, second.body.error.code]).toEqual([409, "CONFLICT"])
    expect(stored()).toEqual(before)
    expect((await uploadImage(it, await noise(1), { key })).status).toBe(200)
  })

  test("stores no image beyond the limit, also of several at once (contract B7.3.5, contract A1.6)", async () => {
    const { secret: key } = await it.app.projects.create("Hasty")
    const before = stored().length
    const images = await Promise.all([11, 12, 13, 14].map((seed) => noise(seed)))
    const answers = await Promise.all(images.map((image) => uploadImage(it, image, { key })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    expect(stored().length).toBe(before + 1)
    const { body } = answers.find(({ status }) => status === 200) ?? { body: undefined }
    expect((await show(`/uploads/${body.key}`)).status).toBe(200)
  })

  test("keeps an image that one project has space for and another has not (contract B7.3.5)", async () => {
    const [{ secret: full }, { secret: free }] = [await it.app.projects.create("A"), await it.app.projects.create("B")]
    await uploadImage(it, await noise(21), { key: full })
    const image = await noise(22)
    const answers = await Promise.all([full, free, full].map((key) => uploadImage(it, image, { key })))
    expect(answers.map(({ status }) => status)).toEqual([409, 200, 409])
    expect((await show(`/uploads/${answers[1]?.body.key}`)).status).toBe(200)
  })
})

describe("GET /uploads/{key}", () => {
  test("is not sent again to a client that has it, and HEAD has no body (contract B7.3.3)", async () => {
    const { body } = await uploadImage(it, await imageOf("png", 8))
    const first = await show(`/uploads/${body.key}`)
    const etag = first.headers.get("etag") ?? ""
    const again = await show(`/uploads/${body.key}`, { "If-None-Match": etag })
    expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag])
    for (const list of [`W/${etag}`, `"other", ${etag}`, "*"])
      expect([list, (await show(`/uploads/${body.key}`, { "If-None-Match": list })).status]).toEqual([list, 304])
    for (const list of ['"other"', `${etag.slice(0, -1)}`, ""])
      expect([list, (await show(`/uploads/${body.key}`, { "If-None-Match": list })).status]).toEqual([list, 200])
    const head = await show(`/uploads/${body.key}`, {}, "HEAD")
    expect([head.status, await head.text(), head.headers.get("content-type")]).toEqual([200, "", "image/png"])
  })

  test("has no other names than the keys (contract B7.3.3)", async () => {
    const { body } = await uploadImage(it, await imageOf("png", 9))
    const [id] = body.key.split(".")
    const hash = stored()[0] ?? ""
    const others = [
      id,
      `${id}.jpg`,
      `${id}.png.png`,
      `${id}.png/`,
      `x/../${body.key}x`,
      hash,
      "..%2f..%2fmailstead.db",
      "%2e%2e%2fmailstead.db",
      "image",
      "0199c0de-0000-7000-8000-ffffffffffff.png",
    ]
    for (const other of others) {
      const { status } = await show(`/uploads/${other}`)
      expect([other, status]).toEqual([other, other === `${id}.png/` ? 200 : 404])
    }
  })
})
