import { afterAll, beforeAll, expect, test } from "bun:test"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { dashboard } from "../harness/dashboard.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp({ overrides: { dashboard } })
})
afterAll(() => it.close())

const links = (html: string) => [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path ?? "")

test("every response forbids content sniffing", async () => {
  const pages = await Promise.all(["/app", "/docs"].map(async (path) => (await it.api(`GET ${path}`)).body))
  const files = pages.flatMap(links)
  expect(files.length).toBeGreaterThan(2)
  const routes = [
    "GET /health",
    "HEAD /health",
    "GET /",
    "GET /app",
    "GET /app/document",
    "GET /docs",
    "GET /openapi.json",
    "GET /contacts",
    "GET /nothing",
    "GET /%E0%A4%A",
    "GET /unsubscribe/x",
    "GET /t/o/x",
    "GET /t/c/x",
    "OPTIONS /v1/track",
    "POST /v1/track",
    "DELETE /contacts/x",
    ...files.map((path) => `GET ${path}`),
  ]
  const seen = await Promise.all(
    routes.map(async (route) => [route, (await it.api(route)).headers.get("x-content-type-options")]),
  )
  expect(seen).toEqual(routes.map((route) => [route, "nosniff"]))
  const refused = await it.api("GET /health", { headers: { Host: "a b" } })
  expect([refused.status, refused.headers.get("x-content-type-options")]).toEqual([400, "nosniff"])
})
