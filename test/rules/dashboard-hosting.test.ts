import { expect, test } from "bun:test"
import { brotliDecompressSync } from "node:zlib"
import type { DashboardHost } from "../../src/http/dashboard.ts"
import { dashboard as host } from "../harness/dashboard.ts"

const ask = (path: string, init?: RequestInit, from: DashboardHost = host) =>
  from.handle(new Request(`http://localhost${path}`, init))

async function page(path: string): Promise<Response> {
  const answer = await ask(path)
  if (!answer) throw new Error(`${path} is not the dashboard's`)
  return answer
}

async function assetPaths(): Promise<string[]> {
  return [...(await (await page("/app")).text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? "")
}

test("the page and every deep link under it return the same document", async () => {
  const document = await (await page("/app")).text()
  expect(document).toStartWith("<!doctype html>")
  for (const path of ["/app/", "/app/inbox", "/app/inbox/0199c0de-0000-7000-8000-00000000000a", "/app?x=1"]) {
    expect(await (await page(path)).text()).toBe(document)
  }
})

test("other paths are not handled", async () => {
  const paths = [
    "/",
    "/apps",
    "/app/assets/none.js",
    "/app/assets/",
    "/app/live/p",
    "/app/view/p/emails/e/body",
    "/app/favicon.ico",
  ]
  for (const path of paths) expect(await ask(path)).toBeUndefined()
  expect(await ask("/app", { method: "POST" })).toBeUndefined()
})

test("the page allows only its own scripts and no framing", async () => {
  const { headers } = await page("/app")
  const policy = headers.get("Content-Security-Policy")?.split("; ")
  for (const rule of [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]) {
    expect(policy).toContain(rule)
  }
  expect(headers.get("Referrer-Policy")).toBe("same-origin")
  expect(headers.get("Cache-Control")).toBe("no-cache")
  expect(await (await page("/app")).text()).not.toMatch(/<script(?![^>]* src=)|<style|https?:/)
})

test("assets are named by their content, have a type, and are cached indefinitely", async () => {
  const paths = await assetPaths()
  expect(paths.map((path) => path.replace(/.*\./, "")).sort()).toEqual(["css", "js", "svg"])
  const types = { css: "text/css", js: "text/javascript", svg: "image/svg+xml" }
  for (const [end, type] of Object.entries(types)) {
    const path = paths.find((name) => name.endsWith(`.${end}`)) ?? ""
    expect(path).toMatch(/^\/app\/assets\/[a-z]+-[a-z0-9]{8}\.[a-z]+$/)
    const { headers } = await page(path)
    expect(headers.get("Content-Type")).toStartWith(type)
    expect(headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable")
  }
})

test.each([
  ["gzip", Bun.gunzipSync],
  ["br", brotliDecompressSync],
  ["zstd", Bun.zstdDecompressSync],
] as const)("assets are sent as %s to those who take it, with the same content", async (encoding, decode) => {
  const path = (await assetPaths()).find((name) => name.endsWith(".js")) ?? ""
  const plain = await (await page(path)).bytes()
  const zipped = await ask(path, { headers: { "Accept-Encoding": `deflate, ${encoding}` } })
  expect(zipped?.headers.get("Content-Encoding")).toBe(encoding)
  expect(zipped?.headers.get("Vary")).toBe("Accept-Encoding")
  const bytes = (await zipped?.bytes()) ?? new Uint8Array()
  expect(bytes.length).toBeLessThan(plain.length / 2)
  expect(new Uint8Array(decode(bytes))).toEqual(plain)
})

test("HEAD is GET without the body", async () => {
  const answer = await ask("/app", { method: "HEAD" })
  expect(answer?.status).toBe(200)
  expect(answer?.headers.get("Content-Type")).toStartWith("text/html")
  expect(await answer?.text()).toBe("")
})

test("the script holds the production build of React and stays under a quarter of a megabyte compressed", async () => {
  const path = (await assetPaths()).find((name) => name.endsWith(".js")) ?? ""
  const script = await (await page(path)).text()
  expect(script).not.toContain("Consider adding an error boundary")
  expect(Bun.gzipSync(script).length).toBeLessThan(256 * 1024)
})
