import { expect, spyOn, test } from "bun:test"
import { createHttpServer } from "../../src/http/listen.ts"

/** For how many seconds these keep a connection to a server for their next request, unless told otherwise. */
const proxies = { nginx: 60, "Amazon ALB": 60, "Go and Traefik": 90, Caddy: 120 }

test("a connection without a request stays open for longer than proxies keep theirs (contract A8.6.8)", async () => {
  const serve = spyOn(Bun, "serve")
  try {
    const server = createHttpServer({
      host: "127.0.0.1",
      port: 0,
      settings: { host: "http.host", port: "http.port" },
      fetch: () => new Response(),
    })
    await server.stop(0)
    const [options] = serve.mock.calls[0] ?? expect.unreachable()
    // The system looks after such connections every 4 seconds, so that one may be closed that much earlier.
    const { idleTimeout: seconds = 10 } = options as { idleTimeout?: number }
    expect(seconds).toBe(150)
    expect(seconds - 4).toBeGreaterThan(Math.max(...Object.values(proxies)))
  } finally {
    serve.mockRestore()
  }
})
