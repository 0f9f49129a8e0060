import { expect, test } from "bun:test"
import { brotliDecompressSync } from "node:zlib"
import { openPaths, sections } from "../../src/dashboard/frame/sections.ts"
import type { DashboardHost } from "../../src/http/dashboard.ts"
import type { Visitor } from "../../src/http/dashboard-routes.ts"
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

test("the page and every deep link under it return the same document to a visitor who is not known", async () => {
  const document = await (await page("/app")).text()
  expect(document).toStartWith("<!doctype html>")
  for (const path of ["/app/", "/app/inbox", "/app/inbox/0199c0de-0000-7000-8000-00000000000a", "/app?x=1"]) {
    expect(await (await page(path)).text()).toBe(document)
  }
})

const project = { id: "0199c0de-0000-7000-8000-00000000000a", name: "Tom & <b>Ada</b>" }
const visitor: Visitor = { sandbox: false, projects: [project] }

async function documentFor(path: string, who = visitor): Promise<string> {
  const answer = await host.handle(new Request(`http://localhost/app${path}`), async () => who)
  return (await answer?.text()) ?? ""
}

const headingOf = (document: string) => /<h1[^>]*>(.*?)<\/h1>/.exec(document)?.[1]

test.each(sections.map((section) => [section.name, section] as const))(
  "the document of %s has its heading, the navigation and hints for all of its scripts",
  async (_, { path, name, heading = name, headedByProject }) => {
    const isInProject = !path.startsWith("~")
    const document = await documentFor(isInProject ? `/p/${project.id}${path}` : path.replace("~/app", ""))
    const shown = headedByProject ? "Tom &amp; &lt;b&gt;Ada&lt;/b&gt;" : heading
    expect(headingOf(document)).toBe(shown)
    expect(document).toContain(`<title>${shown} · Mailstead</title>`)
    const listed = sections.filter(({ hidden }) => !hidden).map((one) => one.name)
    expect([...document.matchAll(/<span class="ms-label">(.*?)<\/span>/g)].map(([, label]) => label)).toEqual(listed)
    const hinted = [...document.matchAll(/rel="modulepreload" href="([^"]+)"/g)].map(([, script = ""]) => script)
    expect(hinted.length).toBeGreaterThan(0)
    const entry = /<script type="module" crossorigin src="([^"]+)"/.exec(document)?.[1] ?? ""
    for (const script of hinted)
      for (const [, imported = ""] of (await (await page(script)).text()).matchAll(/from"([^"]+\.js)"/g))
        expect([entry, ...hinted]).toContain(imported)
  },
)

test("an address that leads nowhere has the frame of the start page, the sandbox that of its own", async () => {
  for (const path of ["", "/", `/p/${project.id}`, `/p/${project.id}/nothing`])
    expect(headingOf(await documentFor(path))).toBe("Tom &amp; &lt;b&gt;Ada&lt;/b&gt;")
  const sandbox = await documentFor("", { ...visitor, sandbox: true })
  expect(headingOf(sandbox)).toBe("Inbox")
  expect(sandbox).not.toContain('title="Home"')
})

test("there is no frame for a project of others, nor on the pages that are open to everybody", async () => {
  const without = await (await page("/app")).text()
  for (const path of ["/p/0199c0de-0000-7000-8000-00000000000b/contacts", ...openPaths])
    expect(await documentFor(path)).toBe(without)
})

test("a document with a frame is kept by no cache, and is compressed", async () => {
  const request = new Request("http://localhost/app/inbox", { headers: { "Accept-Encoding": "gzip" } })
  const answer = await host.handle(request, async () => visitor)
  expect(answer?.headers.get("Cache-Control")).toBe("no-store")
  expect(answer?.headers.get("Content-Encoding")).toBe("gzip")
  expect(Bun.gunzipSync((await answer?.bytes()) ?? new Uint8Array()).length).toBeGreaterThan(0)
  const length = (await host.handle(request, async () => visitor))?.bytes()
  expect((await length)?.length).toBeLessThan(6_000)
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

test("the page allows only its own scripts, one of them inline, and no framing", async () => {
  const { headers } = await page("/app")
  const policy = headers.get("Content-Security-Policy")?.split("; ")
  for (const rule of [
    "default-src 'none'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]) {
    expect(policy).toContain(rule)
  }
  expect(headers.get("Referrer-Policy")).toBe("same-origin")
  expect(headers.get("Cache-Control")).toBe("no-cache")
  const document = await (await page("/app")).text()
  const inline = [...document.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = ""]) => script)
  const hashes = inline.map((script) => `'sha256-${new Bun.CryptoHasher("sha256").update(script).digest("base64")}'`)
  expect(hashes).toHaveLength(1)
  expect(policy).toContain(`script-src 'self' ${hashes.join(" ")}`)
  expect(document).not.toMatch(/<script(?! type="module" crossorigin src="\/app\/assets\/|>)|https?:| on\w+=/)
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
