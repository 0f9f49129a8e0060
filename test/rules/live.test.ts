import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { withHead } from "../../src/http/listen.ts"
import { type LiveEvent, liveResponse } from "../../src/http/live.ts"
import { createFakeClock } from "../harness/fake-clock.ts"

const event: LiveEvent = { event: "email", data: { text: "x".repeat(1_000) } }

/** A stream of live events with what the test has of it. */
function opened(mayRead = async () => true) {
  const clock = createFakeClock()
  let push: (event: LiveEvent) => void = () => {}
  let watchers = 0
  const open = (given: typeof push) => {
    push = given
    watchers++
    return () => {
      watchers--
    }
  }
  const response = liveResponse(clock, { open, mayRead })
  return { clock, response, push: (given: LiveEvent) => push(given), watchers: () => watchers }
}

describe("A stream of live events", () => {
  test("has events and pings", async () => {
    const { clock, response, push } = opened()
    push({ event: "email", data: { id: "1" } })
    for (let second = 0; second < 15; second++) await clock.advance(1_000)
    const reader = (response.body ?? expect.unreachable()).pipeThrough(new TextDecoderStream()).getReader()
    const read = [await reader.read(), await reader.read(), await reader.read()].map(({ value }) => value)
    expect(read).toEqual([": open\n\n", 'event: email\ndata: {"id":"1"}\n\n', ": ping\n\n"])
  })

  test("ends for a reader that is too slow, with a bounded buffer", async () => {
    const { clock, response, push, watchers } = opened()
    for (let n = 0; n < 10_000; n++) push(event)
    expect(watchers()).toBe(0)
    await clock.advance(60_000)
    const kept = await response.text()
    expect(kept.length).toBeLessThan(300_000)
    expect(kept).toEndWith("\n\n")
  })

  test("continues for a reader that keeps up, with any number of events", async () => {
    const { response, push, watchers } = opened()
    const reader = (response.body ?? expect.unreachable()).getReader()
    await reader.read()
    for (let n = 0; n < 1_000; n++) {
      push(event)
      expect((await reader.read()).done).toBe(false)
    }
    expect(watchers()).toBe(1)
    await reader.cancel()
    expect(watchers()).toBe(0)
  })

  test("ends with the answer to HEAD, which nobody reads", async () => {
    const { response, watchers } = opened()
    expect(watchers()).toBe(1)
    const answer = withHead(
      () => response,
      () => false,
    )
    const head = await answer(new Request("http://localhost/app/live/p", { method: "HEAD" }))
    expect([head.status, head.headers.get("content-type"), watchers()]).toEqual([200, "text/event-stream", 0])
  })
})

test.each([[true], [false]])(
  "a reader that leaves while its access is checked ends the stream (allowed: %j)",
  async (isAllowed) => {
    const checked = Promise.withResolvers<boolean>()
    const asked = Promise.withResolvers<void>()
    const mayRead = () => {
      asked.resolve()
      return checked.promise
    }
    const { clock, response, watchers } = opened(mayRead)
    const failures: unknown[] = []
    const note = (cause: unknown) => void failures.push(cause)
    process.on("unhandledRejection", note)
    const passing = clock.advance(1_000)
    await asked.promise
    await response.body?.cancel()
    checked.resolve(isAllowed)
    await passing
    await new Promise(setImmediate)
    process.off("unhandledRejection", note)
    expect([failures, watchers()]).toEqual([[], 0])
  },
)

describe("Over a socket that nobody reads", () => {
  let server: Bun.Server<undefined>
  const streams: ReturnType<typeof opened>[] = []
  beforeAll(() => {
    server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      development: false,
      fetch() {
        const stream = opened()
        streams.push(stream)
        return stream.response
      },
    })
  })
  afterAll(() => server.stop(true))

  test("the stream ends as well, and memory does not grow", async () => {
    const asked = Promise.withResolvers<void>()
    const socket = await Bun.connect({
      hostname: "127.0.0.1",
      port: server.port ?? 0,
      socket: {
        open(socket) {
          socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        },
        data(socket) {
          socket.pause()
          asked.resolve()
        },
      },
    })
    await asked.promise
    const before = process.memoryUsage().rss
    const [stream] = streams
    let pushed = 0
    // Between two turns of the event loop the server sends as much as the socket takes.
    for (; pushed < 200_000 && stream?.watchers() === 1; pushed++) {
      stream.push(event)
      if (pushed % 50 === 0) await new Promise(setImmediate)
    }
    expect(stream?.watchers()).toBe(0)
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1_048_576)
    socket.terminate()
  })
})
