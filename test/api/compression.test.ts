import { afterAll, beforeAll, expect, test } from "bun:test"
import { gunzipSync, zstdDecompressSync } from "node:zlib"
import { acceptedEncoding } from "../../src/http/compression.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
  for (let at = 0; at < 20; at++)
    await it.api("POST /contacts", { body: { email: `ada.${at}@example.com`, data: { plan: "pro" } } })
})
afterAll(() => it.close())

const get = (path: string, headers: Record<string, string> = {}) =>
  it.app.fetch(
    new Request(`http://localhost${path}`, { headers: { Authorization: `Bearer ${it.project.secret}`, ...headers } }),
  )

test.each([
  ["gzip", gunzipSync],
  ["zstd", zstdDecompressSync],
] as const)(
  "JSON is sent as %s to those who take it, with the same content (contract A1.2.9)",
  async (encoding, decode) => {
    const plain = await get("/contacts?limit=20")
    const packed = await get("/contacts?limit=20", { "Accept-Encoding": encoding })
    expect([plain.headers.get("content-encoding"), packed.headers.get("content-encoding")]).toEqual([null, encoding])
    for (const { headers } of [plain, packed]) expect(headers.get("vary")).toContain("Accept-Encoding")
    const text = await plain.text()
    const bytes = await packed.bytes()
    expect(decode(bytes).toString()).toBe(text)
    expect(bytes.length).toBeLessThan(text.length / 4)
  },
)

test("HEAD has the same encoding headers as GET", async () => {
  const headers = { Authorization: `Bearer ${it.project.secret}`, "Accept-Encoding": "gzip" }
  const answer = await it.app.fetch(new Request("http://localhost/contacts?limit=20", { method: "HEAD", headers }))
  expect(answer.headers.get("content-encoding")).toBe("gzip")
  expect(await answer.text()).toBe("")
})

test.each([
  ["a small answer", "/contacts?limit=1", {}],
  ["a request with our cookie that another site may have caused", "/contacts?limit=20", { Cookie: "token=x" }],
  ["a client that refuses it", "/contacts?limit=20", { "Accept-Encoding": "gzip;q=0, identity" }],
])("%s is not compressed", async (_, path, headers) => {
  const answer = await get(path, { "Accept-Encoding": "gzip", ...headers })
  expect(answer.status).toBe(200)
  expect(answer.headers.get("content-encoding")).toBeNull()
  expect(await answer.json()).toMatchObject({ data: expect.any(Array) })
})

test("our own page gets compressed responses with its cookie", async () => {
  const own = { Cookie: "token=x", "Sec-Fetch-Site": "same-origin", "Accept-Encoding": "gzip" }
  expect((await get("/contacts?limit=20", own)).headers.get("content-encoding")).toBe("gzip")
})

test.each([
  ["", undefined],
  ["gzip", "gzip"],
  ["gzip, deflate, br, zstd", "zstd"],
  ["zstd;q=0, GZIP;q=0.5", "gzip"],
  ["gzip;q=0.000", undefined],
  ["br, identity", undefined],
] as const)("of %p the encoding is %p", (header, encoding) => {
  expect(acceptedEncoding(header, ["zstd", "gzip"])).toBe(encoding)
})
