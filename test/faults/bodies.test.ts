import { describe, expect, test } from "bun:test"
import { connect, type Socket } from "node:net"
import { appOfTest, type TestApp } from "../harness/app.ts"

const KB = 1_024
const MB = 1_024 * KB
const json = { "Content-Type": "application/json" }
const track = { email: "ada@example.com", event: "visit" }
const mail = { to: "ada@example.com", from: "hi@acme.test", subject: "Hi", body: "<p>Hi</p>" }

/** JSON of exactly this many bytes, padded in an unknown field. */
const padded = (body: object, bytes: number): string => {
  const bare = JSON.stringify({ ...body, padding: "" })
  return JSON.stringify({ ...body, padding: "x".repeat(bytes - bare.length) })
}

/** A request whose body comes as the test has it; resolves when a piece was taken. */
function slowly(it: TestApp, path = "/v1/send", headers: Record<string, string> = {}) {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let taken = () => {}
  const body = new ReadableStream<Uint8Array>(
    {
      start: (given) => {
        controller = given
      },
      pull: () => taken(),
    },
    { highWaterMark: 0 },
  )
  const request = new Request(`http://localhost${path}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${it.project.secret}`, ...json, ...headers },
    body,
  })
  const first = new Promise<void>((resolve) => {
    taken = resolve
  })
  const answer = it.app.fetch(request, "127.0.0.1")
  return {
    answer,
    async send(piece: string | number) {
      await Promise.race([first, answer])
      const asked = new Promise<void>((resolve) => {
        taken = resolve
      })
      controller?.enqueue(typeof piece === "number" ? new Uint8Array(piece).fill(32) : Buffer.from(piece))
      await Promise.race([asked, answer])
    },
    end: () => controller?.close(),
    drop: () => controller?.error(new Error("The client is gone.")),
  }
}

const codeOf = async (answer: Promise<Response>) => {
  const { status, headers } = await answer
  const { error } = (await (await answer).clone().json()) as { error?: { code: string; message: string } }
  return { status, code: error?.code, message: error?.message, headers }
}

describe("The largest body (contract A1.2.4)", () => {
  test.each([
    ["POST /v1/track", track, MB],
    ["POST /events/track", track, MB],
    ["POST /auth/login", { email: "ada@example.com", password: "correct horse battery staple" }, 64 * KB],
    ["POST /auth/signup", { email: "ada@example.com", password: "correct horse battery staple" }, 64 * KB],
  ])("of %s has its limit, with and without a declared length", async (route, body, limit) => {
    const it = await appOfTest()
    const call = async (bytes: number, announced: boolean) => {
      const raw = padded(body, bytes)
      const headers = { ...json, ...(announced ? { "Content-Length": String(raw.length) } : {}) }
      return (await it.api(route, { raw, headers })).status
    }
    for (const announced of [true, false]) {
      expect(await call(limit, announced)).not.toBe(413)
      expect(await call(limit + 1, announced)).toBe(413)
    }
  })

  test("of all other routes is larger", async () => {
    const it = await appOfTest()
    expect((await it.api("POST /v1/send", { raw: padded(mail, 3 * MB), headers: json })).status).toBe(200)
    expect((await it.api("POST /events/track", { raw: padded(track, 3 * MB), headers: json })).status).toBe(413)
    expect((await it.api("POST /contacts", { raw: padded(track, 3 * MB), headers: json })).status).toBe(200)
  })
})

describe("Bodies being received share one memory limit:", () => {
  const small = { overrides: { bodies: { memoryBytes: 5 * MB } } }

  test("a body beyond it is 503 with Retry-After, and is accepted later", async () => {
    const it = await appOfTest(small)
    const first = slowly(it)
    await first.send(2 * MB)
    const key = { "Idempotency-Key": "order-991" }
    const send = () => it.api("POST /v1/send", { raw: padded(mail, 3.5 * MB), headers: { ...json, ...key } })
    const refused = await send()
    expect([refused.status, refused.body.error.code]).toEqual([503, "SERVICE_UNAVAILABLE"])
    expect(refused.headers.get("retry-after")).toBe(String(refused.body.error.details.retryAfter))
    // Small requests go on meanwhile.
    expect((await it.api("POST /v1/track", { body: track })).status).toBe(200)
    await first.send(JSON.stringify(mail))
    first.end()
    expect((await first.answer).status).toBe(200)
    expect((await send()).status).toBe(200)
  })

  test("one client does not take it all, and a body of the largest size fits beside what it has", async () => {
    const it = await appOfTest({ overrides: { bodies: { memoryBytes: 80 * MB } } })
    const from = (address: string) => ({ "X-Forwarded-For": `198.51.100.1, ${address}` })
    const bodies = []
    const refused = []
    for (let n = 0; n < 40; n++) {
      const body = slowly(it, "/v1/send", from("203.0.113.5"))
      await body.send(2 * MB)
      const status = await Promise.race([body.answer.then((answer) => answer.status), Bun.sleep(0).then(() => 0)])
      if (status === 0) bodies.push(body)
      else refused.push(status)
    }
    // Its largest, and an eighth of the memory in others.
    expect([bodies.length, new Set(refused)]).toEqual([6, new Set([503])])
    const large = { raw: padded(mail, 40 * MB), headers: { ...json, ...from("203.0.113.6") } }
    expect((await it.api("POST /v1/send", large)).status).toBe(200)
    expect((await it.api("POST /v1/track", { body: track, headers: from("203.0.113.6") })).status).toBe(200)
    for (const body of bodies) body.drop()
    await Promise.all(bodies.map(({ answer }) => answer))
    const alone = { raw: padded(mail, 50 * MB), headers: { ...json, ...from("203.0.113.5") } }
    expect((await it.api("POST /v1/send", alone)).status).toBe(200)
  })

  test.each([
    ["that ended too early", async (body: ReturnType<typeof slowly>) => body.drop(), 400],
    ["that was too large", (body: ReturnType<typeof slowly>) => body.send(60 * MB), 413],
    [
      "that was no JSON",
      async (body: ReturnType<typeof slowly>) => {
        await body.send("{")
        body.end()
      },
      400,
    ],
  ] as const)("a body %s leaves its room to others", async (_, finish, status) => {
    const it = await appOfTest(small)
    for (let n = 0; n < 3; n++) {
      const body = slowly(it)
      await body.send(2 * MB)
      await finish(body)
      expect((await body.answer).status).toBe(status)
    }
    expect((await it.api("POST /v1/send", { raw: padded(mail, 4 * MB), headers: json })).status).toBe(200)
  })

  test("those that arrive as slowly as they may give way once there is no room", async () => {
    const it = await appOfTest(small)
    const slow = slowly(it, "/v1/send", { "X-Forwarded-For": "198.51.100.1" })
    await slow.send(2 * MB)
    for (let n = 0; n < 4; n++) {
      await it.clock.advance(3_000)
      await slow.send(2 * KB)
    }
    const send = () => it.api("POST /v1/send", { raw: padded(mail, 2 * MB), headers: json })
    expect((await send()).status).toBe(503)
    expect((await slow.answer).status).toBe(400)
    expect((await send()).status).toBe(200)
  })

  test("those that arrive at the speed of a modem do not", async () => {
    const it = await appOfTest(small)
    const steady = slowly(it)
    await steady.send(2 * MB)
    for (let n = 0; n < 4; n++) {
      await it.clock.advance(3_000)
      await steady.send(14 * KB)
    }
    expect((await it.api("POST /v1/send", { raw: padded(mail, 2 * MB), headers: json })).status).toBe(503)
    await steady.send(JSON.stringify(mail))
    steady.end()
    expect((await steady.answer).status).toBe(200)
  })

  test("the size of the pieces does not matter", async () => {
    const it = await appOfTest(small)
    const body = slowly(it)
    for (let n = 0; n < 2_000; n++) await body.send(" ")
    await body.send(JSON.stringify(mail))
    body.end()
    expect((await body.answer).status).toBe(200)
  })
})

describe("An unfinished body", () => {
  test("is dropped after 15 seconds without progress, and its memory is freed", async () => {
    const it = await appOfTest({ overrides: { bodies: { memoryBytes: 3 * MB } } })
    const body = slowly(it)
    await body.send(2 * MB)
    await it.clock.advance(14_999)
    expect(await Promise.race([body.answer, "waiting"])).toBe("waiting")
    await it.clock.advance(1)
    const { status, code, headers } = await codeOf(body.answer)
    expect([status, code, headers.get("connection")]).toEqual([400, "BAD_REQUEST", "close"])
    expect((await it.api("POST /v1/send", { raw: padded(mail, 2 * MB), headers: json })).status).toBe(200)
  })

  test("continues while it makes progress", async () => {
    const it = await appOfTest()
    const body = slowly(it)
    for (let n = 0; n < 10; n++) {
      await body.send(2 * KB)
      await it.clock.advance(14_000)
    }
    await body.send(JSON.stringify(mail))
    body.end()
    expect((await body.answer).status).toBe(200)
  })

  test("is not dropped for time that the clock was set by, or for which the process was stopped", async () => {
    const it = await appOfTest()
    const body = slowly(it)
    await body.send(2 * KB)
    await it.clock.advance(10_000)
    await body.send(2 * KB)
    it.clock.jump(60_000)
    await it.clock.advance(14_000)
    expect(await Promise.race([body.answer, "waiting"])).toBe("waiting")
    await body.send(JSON.stringify(mail))
    body.end()
    expect((await body.answer).status).toBe(200)
  })

  test("is dropped if only single bytes arrive", async () => {
    const it = await appOfTest()
    const body = slowly(it)
    for (let n = 0; n < 3; n++) {
      await body.send(" ")
      await it.clock.advance(5_000)
    }
    expect((await body.answer).status).toBe(400)
  })

  test("that never arrives closes the connection in time", async () => {
    const it = await appOfTest({ overrides: { bodies: { stallMs: 100 } } })
    const { port } = await it.app.start()
    const { clock } = it
    for (const length of [100, 200 * KB]) {
      const socket: Socket = connect(port, "127.0.0.1")
      const head = `POST /v1/send HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${it.project.secret}\r\nContent-Length: ${length}\r\n\r\n{`
      socket.write(head)
      let said = ""
      socket.on("data", (bytes) => {
        said += bytes
      })
      const closed = new Promise((resolve) => socket.on("close", resolve))
      for (let ended = false; !ended; ) {
        await clock.advance(100)
        ended = await Promise.race([
          closed.then(() => true),
          new Promise<false>((next) => setImmediate(() => next(false))),
        ])
      }
      expect(said).toStartWith("HTTP/1.1 400 ")
      expect(said).toContain("stopped arriving")
    }
  })
})
