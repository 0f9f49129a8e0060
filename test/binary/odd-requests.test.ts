import { afterEach, beforeEach, expect, test } from "bun:test"
import { connect } from "node:net"
import { emptyPlace, type Place } from "./program.ts"

let place: Place
let server: Awaited<ReturnType<Place["start"]>>
let port: number

beforeEach(async () => {
  place = emptyPlace()
  server = await place.start(["sandbox", "--port", "0", "--smtp-port", "0"], /Stop with/)
  port = Number(/listening on \S+:(\d+)/.exec(server.printed)?.[1])
})
afterEach(async () => {
  await server.stop()
  place.remove()
})

/** All that the server says to these bytes before it closes the connection. */
function say(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let said = ""
    const socket = connect(port, "127.0.0.1", () => socket.write(Buffer.from(bytes, "latin1")))
    socket.on("data", (more) => {
      said += more.toString("latin1")
    })
    socket.on("error", () => {}).on("close", () => resolve(said))
  })
}

test("a body that is parsed on a thread is taken", async () => {
  const answer = await fetch(`http://127.0.0.1:${port}/contacts`, {
    method: "POST",
    headers: { Authorization: "Bearer sk_sandbox", "Content-Type": "application/json" },
    body: JSON.stringify({ email: "ada@example.com", ignored: "x".repeat(9_000_000) }),
  })
  expect(answer.status).toBe(201)
})

const odd = [
  "a b",
  "a\tb",
  "",
  "[::",
  "a:99999",
  "\xff",
  "%00",
  "..",
  "a/../b",
  "x".repeat(5_000),
  "=?utf-8?Q?=00?=",
  "'\"<",
]

test("a request that is odd in any place tells nothing of the program, and is no fault of it", async () => {
  const requests = odd.flatMap((text) => [
    `GET /health HTTP/1.1\r\nHost: ${text}\r\nConnection: close\r\n\r\n`,
    `GET /${text} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    `GET /emails?search=${text} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer sk_sandbox\r\nConnection: close\r\n\r\n`,
    `GET /app HTTP/1.1\r\nHost: localhost\r\nCookie: mailstead_session=${text}\r\nConnection: close\r\n\r\n`,
    `${text} /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    `POST /v1/send HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${text}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
  ])
  for (const request of requests) {
    const said = await say(request)
    expect(said).not.toMatch(/\$bunfs|node_modules|\.tsx?:\d|\bat \S+ \(|<title>Bun/)
    // 505 is the parser's own answer to a method that it takes for a part of the version.
    expect(said.split(" ", 2)[1] ?? "").toMatch(/^(?:[234]\d\d|505|)$/)
  }
  const health = await fetch(`http://127.0.0.1:${port}/health`)
  expect(await health.json()).toMatchObject({ status: "ok" })
})
