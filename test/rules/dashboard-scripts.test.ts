import { expect, test } from "bun:test"
import { dashboard as host } from "../harness/dashboard.ts"

async function ask(path: string, method = "GET"): Promise<Response> {
  const answer = await host.handle(new Request(`http://localhost${path}`, { method }))
  if (!answer) throw new Error(`${path} is not the dashboard's`)
  return answer
}

test("every script that a script loads exists at its URL", async () => {
  const named = (text: string) =>
    [...text.matchAll(/["'](\/app\/assets\/[^"']+\.js)["']/g)].map(([, path]) => path ?? "")
  const found = new Set<string>()
  const open = named(await (await ask("/app")).text())
  while (open.length > 0) {
    const path = open.pop() ?? ""
    if (found.has(path)) continue
    found.add(path)
    const script = await (await ask(path)).text()
    expect(script).not.toMatch(/["']\.?\/chunk-[^"']+["']/)
    open.push(...named(script))
  }
  expect(found.size).toBeGreaterThan(3)
})

test("the page loads without the code editor", async () => {
  const scripts = [...(await (await ask("/app")).text()).matchAll(/src="([^"]+\.js)"/g)].map(([, path]) => path ?? "")
  expect(scripts).toHaveLength(1)
  expect(await (await ask(scripts[0] ?? "")).text()).not.toContain("cm-content")
})

test("the frame for editing mail runs no scripts and loads no remote content unless requested", async () => {
  const policyOf = async (path: string) => (await ask(path)).headers.get("Content-Security-Policy")?.split("; ") ?? []
  const closed = await policyOf("/app/document")
  expect(closed).toContain("sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox")
  for (const rule of [
    "default-src 'none'",
    "img-src data: http://localhost/uploads/",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ]) {
    expect(closed).toContain(rule)
  }
  expect(closed.join().replace("http://localhost/uploads/", "")).not.toMatch(/script|https?:/)
  const open = await policyOf("/app/document?remote=1")
  expect(open).toContain("img-src data: http://localhost/uploads/ https: http:")
  expect(open.join()).not.toContain("script")
  expect(await (await ask("/app/document", "HEAD")).text()).toBe("")
})
