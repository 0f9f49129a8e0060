import { expect, test } from "bun:test"
import { createServer } from "node:net"
import { callApi } from "../../src/kernel/api-call.ts"

test("a provider that does not speak TLS was not given the request, so its message may go to another or be tried again", async () => {
  const server = createServer((socket) => socket.end("HTTP/1.1 503 Service Unavailable\r\n\r\n"))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as { port: number }
  const request = { method: "POST", url: `https://127.0.0.1:${port}/email/batch`, headers: {}, body: "[]" } as const
  const answer = await callApi(request, { timeoutMs: 5_000, abort: new AbortController().signal })
  server.close()
  expect(answer).toEqual({ kind: "unreached", reason: "no connection (EPROTO)" })
})

test("an answer that cannot be read is told without the address, which may be a secret", async () => {
  const server = createServer((socket) => socket.end("220 mail.example.com ESMTP\r\n"))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as { port: number }
  const request = { method: "POST", url: `http://127.0.0.1:${port}/services/secret`, headers: {}, body: "{}" } as const
  const answer = await callApi(request, { timeoutMs: 5_000, abort: new AbortController().signal })
  server.close()
  expect(answer).toEqual({ kind: "lost", reason: "the answer cannot be read (Malformed_HTTP_Response)" })
})
