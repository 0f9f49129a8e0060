import { expect, test } from "bun:test"
import { startTestApp } from "../harness/app.ts"

const wrong = { email: "nobody@example.com", password: "not the right one" }

/** Fails to sign in until that is refused; resolves to the number of failures. */
async function failures(it: Awaited<ReturnType<typeof startTestApp>>, headers: Record<string, string>) {
  for (let count = 0; ; count++) {
    const request = new Request("http://localhost/auth/login", {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify({ ...wrong, email: `n${count}@example.com` }),
    })
    const { status } = await it.app.fetch(request, "10.0.0.1")
    if (status !== 401) return [count, status]
  }
}

test("sign-ins are limited by the client behind a trusted proxy (contract A8.6.7)", async () => {
  const it = await startTestApp({ settings: { "http.trusted_proxies": "10.0.0.0/8" } })
  const [count = 0, status] = await failures(it, { "X-Forwarded-For": "198.51.100.1" })
  expect(status).toBe(429)
  expect(await failures(it, { "X-Forwarded-For": "198.51.100.1" })).toEqual([0, 429])
  expect(await failures(it, { "X-Forwarded-For": "198.51.100.2" })).toEqual([count, 429])
  await it.close()
})

test("a header of anybody else makes no new client of them (contract A8.6.7)", async () => {
  const it = await startTestApp()
  expect((await failures(it, { "X-Forwarded-For": "198.51.100.1" }))[1]).toBe(429)
  expect(await failures(it, { "X-Forwarded-For": "198.51.100.2" })).toEqual([0, 429])
  await it.close()
})
