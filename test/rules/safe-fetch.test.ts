import { afterEach, describe, expect, test } from "bun:test"
import { createServer, type RequestListener, type Server } from "node:http"
import { createServer as createSecureServer } from "node:https"
import { type AddressInfo, createServer as createTcpServer } from "node:net"
import type { SystemLookup } from "../../src/net/host-addresses.ts"
import { isPublicAddress } from "../../src/net/public-address.ts"
import { createSafeFetch, type FetchOptions } from "../../src/net/safe-fetch.ts"
import { testCertificate } from "../harness/certificate.ts"
import { lookupsAt, startDnsServer, type Zone } from "../harness/dns-server.ts"
import { createFakeClock } from "../harness/fake-clock.ts"

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

interface Seen {
  readonly line: string
  readonly headers: Record<string, unknown>
  readonly body: string
}

type Handler = (path: string) => { status?: number; headers?: Record<string, string>; body?: string | null }

/** A web server on a loopback address of its own; a null body is never finished. */
async function serve(host: string, port = 0, handler: Handler = () => ({ body: `from ${host}` }), isSecure = false) {
  const seen: Seen[] = []
  const asked = Promise.withResolvers<void>()
  const make = (listener: RequestListener): Server =>
    isSecure ? createSecureServer({ ...testCertificate }, listener) : createServer(listener)
  const server = make((request, response) => {
    const chunks: Buffer[] = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString()
      seen.push({ line: `${request.method} ${request.url}`, headers: request.headers, body })
      const answer = handler(request.url ?? "")
      response.writeHead(answer.status ?? 200, answer.headers)
      if (answer.body === null) response.write("begun")
      else response.end(answer.body ?? "")
      asked.resolve()
    })
  })
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  open.push({
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  })
  return { port: (server.address() as AddressInfo).port, seen, asked: asked.promise }
}

async function fetching(zone: Zone, allow: readonly string[], ca?: string, system?: SystemLookup) {
  const server = await startDnsServer(zone)
  open.push({ close: () => server.stop() })
  const clock = createFakeClock()
  const dns = lookupsAt([server.address], clock)
  return { server, clock, fetch: createSafeFetch({ dns, clock, allow, ...(ca && { ca }), ...(system && { system }) }) }
}

const text = (fetched: object): string =>
  "body" in fetched ? new TextDecoder().decode(fetched.body as Uint8Array) : JSON.stringify(fetched)
const notPublic = { outcome: "refused", reason: "The host has no public address." } as const

describe("Addresses that a request may reach", () => {
  test.each([
    ["1.1.1.1", true],
    ["93.184.216.34", true],
    ["2606:4700:4700::1111", true],
    ["64:ff9b::5db8:d822", true],
    ["0.0.0.0", false],
    ["10.1.2.3", false],
    ["100.64.0.1", false],
    ["100.100.100.200", false],
    ["127.0.0.1", false],
    ["127.255.255.254", false],
    ["168.63.129.16", false],
    ["169.254.169.254", false],
    ["172.16.0.1", false],
    ["172.31.255.255", false],
    ["172.32.0.1", true],
    ["192.0.0.192", false],
    ["192.168.1.1", false],
    ["198.18.0.1", false],
    ["224.0.0.1", false],
    ["255.255.255.255", false],
    ["::", false],
    ["::1", false],
    ["::7f00:1", false],
    ["::ffff:127.0.0.1", false],
    ["::ffff:a9fe:a9fe", false],
    ["64:ff9b::7f00:1", false],
    ["64:ff9b::a9fe:a9fe", false],
    ["64:ff9b:1::7f00:1", false],
    ["2002:7f00:1::", false],
    ["2001::1", false],
    ["2001:db8::1", false],
    ["3fff::1", false],
    ["fc00::1", false],
    ["fd00:ec2::254", false],
    ["fe80::1", false],
    ["fec0::1", false],
    ["ff02::1", false],
    ["not an address", false],
  ])("%s: %p", (address, isPublic) => expect(isPublicAddress(address)).toBe(isPublic))
})

describe("Hosts in every notation", () => {
  test.each([
    "127.0.0.1",
    "127.0.0.1.",
    "127.1",
    "0x7f.1",
    "0x7f000001",
    "0177.0.0.1",
    "017700000001",
    "2130706433",
    "①②⑦.0.0.1",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[0:0:0:0:0:ffff:a9fe:a9fe]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "169.254.169.254",
    "0",
    "localhost",
    "LOCALHOST.",
    "app.localhost",
  ])("%s is refused", async (host) => {
    const { fetch, server } = await fetching({}, [])
    expect(await fetch(`http://${host}/`)).toEqual(notPublic)
    expect(server.queries).toEqual([])
  })

  test.each([
    ["ftp://example.com/", "Only http and https are possible."],
    ["file:///etc/passwd", "Only http and https are possible."],
    ["data:text/plain,hello", "Only http and https are possible."],
    ["http://user:pass@example.com/", "The address must have no user and no password."],
    ["http://@@", "This is not an address."],
    ["nonsense", "This is not an address."],
  ])("%s is refused", async (url, reason) => {
    const { fetch } = await fetching({}, [])
    expect(await fetch(url)).toEqual({ outcome: "refused", reason })
  })
})

describe("Names", () => {
  test("are looked up, and one special address among others is enough to refuse", async () => {
    const zone: Zone = {
      "inside.test": [["A", "10.0.0.1"]],
      "six.test": [["AAAA", "::ffff:169.254.169.254"]],
      "mixed.test": [
        ["A", "127.0.0.2"],
        ["A", "127.0.0.3"],
      ],
      "alias.test": [["CNAME", "inside.test"]],
    }
    const { fetch } = await fetching(zone, ["127.0.0.2"])
    for (const name of Object.keys(zone)) expect(await fetch(`http://${name}/`)).toEqual(notPublic)
    expect(await fetch("http://nobody.test/")).toEqual({ outcome: "failed", reason: "The host was not found." })
  })

  test("that no DNS server answers for are told as that, not as names that do not exist", async () => {
    const { fetch } = await fetching({}, [])
    for (const { close } of open.splice(0)) await close()
    const reason = "No DNS server answered where the host is."
    expect(await fetch("http://example.test/")).toEqual({ outcome: "failed", reason })
  })

  test("are connected to at the address that was vetted, though the DNS answers differently from then on", async () => {
    const good = await serve("127.0.0.2")
    const evil = await serve("127.0.0.3", good.port)
    const { fetch, server } = await fetching({ "flip.test": [["A", "127.0.0.2", 0]] }, ["127.0.0.2"])
    const url = `http://flip.test:${good.port}/`
    const first = fetch(url)
    await server.received(2)
    server.zone = { "flip.test": [["A", "127.0.0.3", 0]] }
    expect(text(await first)).toBe("from 127.0.0.2")
    expect(server.queries.map(({ type }) => type).sort()).toEqual(["A", "AAAA"])
    expect(await fetch(url)).toEqual(notPublic)
    expect([good.seen.length, evil.seen.length]).toEqual([1, 0])
    expect(good.seen[0]?.headers.host).toBe(`flip.test:${good.port}`)
  })

  test("of which the first address is dead or silent are reached at the next one, and asked there once", async () => {
    const zone: Zone = {
      "two.test": [
        ["A", "127.0.0.2"],
        ["A", "127.0.0.3"],
      ],
    }
    const { fetch, clock } = await fetching(zone, ["127.0.0.0/8"])
    const web = await serve("127.0.0.3")
    const request = { method: "POST", body: "once" }
    expect(text(await fetch(`http://two.test:${web.port}/`, request))).toBe("from 127.0.0.3")
    expect(web.seen.map(({ body }) => body)).toEqual(["once"])

    // It takes the connection and says nothing, so that TLS does not begin. The next one has a certificate for another name.
    const asked = Promise.withResolvers<void>()
    const silent = createTcpServer((socket) => socket.once("data", () => asked.resolve()))
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.2", resolve))
    open.push({ close: () => silent.close() })
    const { port } = silent.address() as AddressInfo
    await serve("127.0.0.3", port, undefined, true)
    const fetched = fetch(`https://two.test:${port}/`, request)
    await asked.promise
    await clock.advance(3_000)
    expect(await fetched).toMatchObject({ reason: expect.stringMatching(/^The certificate of the host is not valid/) })
  })

  test("that are allowed may be anywhere", async () => {
    const web = await serve("127.0.0.2")
    const { fetch } = await fetching({ "intranet.test": [["A", "127.0.0.2"]] }, ["intranet.test"])
    expect(text(await fetch(`http://intranet.test:${web.port}/`))).toBe("from 127.0.0.2")
    expect(await fetch(`http://127.0.0.2:${web.port}/`)).toEqual(notPublic)
  })

  test("that are allowed are looked up by the system where the DNS does not know them, and no others (contract B5.8.5)", async () => {
    const web = await serve("127.0.0.2")
    const hosts: SystemLookup = async (name) => {
      if (name === "host.docker.internal") return ["127.0.0.2"]
      throw new Error("ENOTFOUND")
    }
    const { fetch } = await fetching({}, ["host.docker.internal", "gone.test"], undefined, hosts)
    expect(text(await fetch(`http://host.docker.internal:${web.port}/`))).toBe("from 127.0.0.2")
    const notFound = { outcome: "failed", reason: "The host was not found." } as const
    expect(await fetch(`http://gone.test:${web.port}/`)).toEqual(notFound)
    const other = await fetching({}, ["127.0.0.0/8"], undefined, hosts)
    expect(await other.fetch(`http://host.docker.internal:${web.port}/`)).toEqual(notFound)
  })

  test("of this machine lead to each of its addresses that is allowed", async () => {
    const closed = await serve("127.0.0.1")
    for (const { close } of open.splice(0)) await close()
    const at = async (allow: string) => (await fetching({}, [allow])).fetch(`http://localhost:${closed.port}/`)
    expect(await at("127.0.0.2")).toEqual(notPublic)
    for (const allow of ["localhost", "127.0.0.1", "::1"]) expect(await at(allow)).toMatchObject({ outcome: "failed" })
  })

  test("are what TLS proves, not the address", async () => {
    const web = await serve("127.0.0.2", 0, () => ({ body: "over TLS" }), true)
    const zone: Zone = { "other.test": [["A", "127.0.0.2"]] }
    const { fetch } = await fetching(zone, ["127.0.0.0/8"], testCertificate.cert)
    expect(await fetch(`https://other.test:${web.port}/`)).toEqual({
      outcome: "failed",
      reason: "The certificate of the host is not valid: it is for another name.",
    })
    const strict = await fetching(zone, ["127.0.0.0/8", "::1"])
    const bySelf = "The certificate of the host is not valid: it is signed by itself."
    expect(await strict.fetch(`https://other.test:${web.port}/`)).toEqual({ outcome: "failed", reason: bySelf })
    const local = await serve("127.0.0.1", 0, () => ({ body: "over TLS" }), true)
    expect(await strict.fetch(`https://localhost:${local.port}/`)).toMatchObject({ reason: bySelf })
    expect(text(await fetch(`https://localhost:${local.port}/`))).toBe("over TLS")
    expect(web.seen).toEqual([])
  })
})

describe("Redirects", () => {
  const zone: Zone = { "a.test": [["A", "127.0.0.2"]], "b.test": [["A", "127.0.0.3"]], "in.test": [["A", "10.0.0.1"]] }
  const allow = ["127.0.0.2", "127.0.0.3"]

  test.each(["http://169.254.169.254/latest", "http://in.test/", "http://0x7f.1/", "//127.1/"])(
    "to %s are refused",
    async (location) => {
      const web = await serve("127.0.0.2", 0, () => ({ status: 302, headers: { location } }))
      const { fetch } = await fetching(zone, allow)
      expect(await fetch(`http://a.test:${web.port}/`, { redirects: 3 })).toEqual(notPublic)
    },
  )

  test.each([
    ["UTF-8", "utf8"],
    ["Latin-1", "latin1"],
  ] as const)("to a path with letters beyond ASCII, as the server has it in %s, are followed", async (_, as) => {
    const server = createTcpServer((socket) =>
      socket.once("data", (request) => {
        const isFirst = request.toString().startsWith("GET / ")
        const head = isFirst ? "302 Found\r\nLocation: /größe" : "200 OK"
        socket.end(`HTTP/1.1 ${head}\r\nContent-Length: 0\r\n\r\n`, as)
        if (!isFirst) asked.resolve(request.toString().split(" ")[1])
      }),
    )
    const asked = Promise.withResolvers<string | undefined>()
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.2", resolve))
    open.push({ close: () => server.close() })
    const { fetch } = await fetching({}, allow)
    await fetch(`http://127.0.0.2:${(server.address() as AddressInfo).port}/`, { redirects: 1 })
    expect(await asked.promise).toBe("/gr%C3%B6%C3%9Fe")
  })

  test("to another scheme are refused", async () => {
    const web = await serve("127.0.0.2", 0, () => ({ status: 302, headers: { location: "file:///etc/passwd" } }))
    const { fetch } = await fetching(zone, allow)
    expect(await fetch(`http://a.test:${web.port}/`, { redirects: 3 })).toMatchObject({ outcome: "refused" })
  })

  test.each(["http://", "//"])("to a host after %s that is too long to be read are refused", async (before) => {
    const location = `${before}${"a".repeat(301)}.test/`
    const web = await serve("127.0.0.2", 0, () => ({ status: 302, headers: { location } }))
    const { fetch } = await fetching(zone, allow)
    const refused = { outcome: "refused", reason: "This is not an address." }
    expect<unknown>(await fetch(`http://a.test:${web.port}/`, { redirects: 3 })).toEqual(refused)
  })

  test("are the answer when none may be followed, and fail when there are too many", async () => {
    const web = await serve("127.0.0.2", 0, () => ({ status: 302, headers: { location: "/again" } }))
    const { fetch } = await fetching(zone, allow)
    expect(await fetch(`http://a.test:${web.port}/`)).toMatchObject({ outcome: "answered", status: 302 })
    expect(await fetch(`http://a.test:${web.port}/`, { redirects: 2 })).toEqual({
      outcome: "failed",
      reason: "There are too many redirects.",
    })
    expect(web.seen.map(({ line }) => line)).toEqual(["GET /", "GET /", "GET /again", "GET /again"])
  })

  test.each([
    [301, "GET /end", ""],
    [302, "GET /end", ""],
    [303, "GET /end", ""],
    [307, "POST /end", "text"],
    [308, "POST /end", "text"],
  ])("with status %i of a POST ask for %s", async (status, line, body) => {
    const handler: Handler = (path) => (path === "/" ? { status, headers: { location: "/end" } } : { body: "end" })
    const web = await serve("127.0.0.2", 0, handler)
    const { fetch } = await fetching(zone, allow)
    const options: FetchOptions = { method: "POST", body: "text", headers: { authorization: "Bearer x" }, redirects: 1 }
    expect(text(await fetch(`http://a.test:${web.port}/`, options))).toBe("end")
    expect(web.seen[1]).toMatchObject({ line, body, headers: { authorization: "Bearer x" } })
  })

  test("to another origin take no header along", async () => {
    const other = await serve("127.0.0.3")
    const location = `http://b.test:${other.port}/`
    const web = await serve("127.0.0.2", 0, () => ({ status: 307, headers: { location } }))
    const { fetch } = await fetching(zone, allow)
    const headers = { Authorization: "Bearer x", Cookie: "a=b", "X-Key": "c" }
    expect(text(await fetch(`http://a.test:${web.port}/`, { headers, redirects: 1 }))).toBe("from 127.0.0.3")
    expect(web.seen[0]?.headers).toMatchObject({ authorization: "Bearer x", cookie: "a=b", "x-key": "c" })
    for (const name of ["authorization", "cookie", "x-key"]) expect(other.seen[0]?.headers[name]).toBeUndefined()
  })

  test("to another origin take those headers along that are shared, but none of a body that is dropped", async () => {
    const other = await serve("127.0.0.3")
    const location = `http://b.test:${other.port}/`
    const statuses = [307, 303]
    const web = await serve("127.0.0.2", 0, () => ({ status: statuses.shift() ?? 307, headers: { location } }))
    const { fetch } = await fetching(zone, allow)
    const headers = { "X-Key": "c", "Content-Type": "application/json", "Idempotency-Key": "k" }
    const options = { method: "POST", body: "{}", headers, shared: ["Content-Type", "Idempotency-Key"], redirects: 1 }
    for (let count = 0; count < 2; count++) await fetch(`http://a.test:${web.port}/`, options)
    const seen = other.seen.map((request) => [
      request.body,
      ...["x-key", "content-type", "idempotency-key"].map((name) => request.headers[name]),
    ])
    expect(seen).toEqual([
      ["{}", undefined, "application/json", "k"],
      ["", undefined, undefined, "k"],
    ])
  })
})

describe("A body", () => {
  const methods = ["POST", "PUT", "PATCH", "DELETE"]
  const bodies = ["four", "fünf", ""]
  test.each(methods.flatMap((method) => bodies.map((body) => [method, body] as const)))(
    "of a %s is sent with its length, also after a redirect: %p",
    async (method, body) => {
      const handler: Handler = (path) => (path === "/" ? { status: 307, headers: { location: "/end" } } : {})
      const web = await serve("127.0.0.2", 0, handler)
      const { fetch } = await fetching({}, ["127.0.0.2"])
      await fetch(`http://127.0.0.2:${web.port}/`, { method, body, redirects: 1 })
      const seen = { body, headers: { "content-length": String(Buffer.byteLength(body)) } }
      expect(web.seen).toMatchObject([
        { ...seen, line: `${method} /` },
        { ...seen, line: `${method} /end` },
      ])
    },
  )

  test("that is none has no length with GET, and the length 0 with POST", async () => {
    const web = await serve("127.0.0.2")
    const { fetch } = await fetching({}, ["127.0.0.2"])
    for (const method of ["GET", "POST"]) await fetch(`http://127.0.0.2:${web.port}/`, { method })
    expect(web.seen.map(({ headers }) => headers["content-length"])).toEqual([undefined, "0"])
  })
})

describe("Limits", () => {
  test("size: a longer answer fails, one of the very size does not", async () => {
    const web = await serve("127.0.0.2", 0, () => ({ body: "12345" }))
    const { fetch } = await fetching({}, ["127.0.0.2"])
    const url = `http://127.0.0.2:${web.port}/`
    expect(text(await fetch(url, { maxBytes: 5 }))).toBe("12345")
    expect(await fetch(url, { maxBytes: 4 })).toEqual({
      outcome: "failed",
      reason: "The answer is larger than 4 bytes.",
    })
  })

  test.each(["100 Continue", "103 Early Hints"])("interim answers: %s twenty times at most", async (status) => {
    let count = 20
    const server = createTcpServer((socket) => {
      socket.on("error", () => {})
      const interim = `HTTP/1.1 ${status}\r\n\r\n`.repeat(count)
      socket.once("data", () => socket.write(`${interim}HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone`))
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.2", resolve))
    open.push({ close: () => server.close() })
    const { fetch } = await fetching({}, ["127.0.0.2"])
    const url = `http://127.0.0.2:${(server.address() as AddressInfo).port}/`
    expect(text(await fetch(url))).toBe("done")
    count = 21
    expect(await fetch(url)).toEqual({ outcome: "failed", reason: "The host sends interim answers without end." })
  })

  test("time: for all of it, also of an answer that has begun", async () => {
    const web = await serve("127.0.0.2", 0, () => ({ body: null }))
    const { fetch, clock } = await fetching({}, ["127.0.0.2"])
    const asked = fetch(`http://127.0.0.2:${web.port}/`, { timeoutMs: 3_000 })
    await web.asked
    await clock.advance(3_000)
    expect(await asked).toEqual({ outcome: "failed", reason: "There was no answer in time." })
  })

  test("the caller may give up", async () => {
    const web = await serve("127.0.0.2", 0, () => ({ body: null }))
    const { fetch } = await fetching({}, ["127.0.0.2"])
    const abort = new AbortController()
    const asked = fetch(`http://127.0.0.2:${web.port}/`, { abort: abort.signal })
    await web.asked
    abort.abort()
    expect((await asked).outcome).toBe("failed")
  })

  test("a host without a server is a failure that names no address", async () => {
    const web = await serve("127.0.0.2")
    const { fetch } = await fetching({ "a.test": [["A", "127.0.0.9"]] }, ["127.0.0.9"])
    expect(await fetch(`http://a.test:${web.port}/`)).toEqual({
      outcome: "failed",
      reason: "The host accepts no connection.",
    })
  })
})

describe("What answers", () => {
  const notHttp = "What answers at this port does not speak HTTP as it should."
  const noTls = "TLS failed: the host may speak plain http at this port, or no version of TLS from 1.2 on."
  const tooLarge = "The head of the answer is too large."
  test.each([
    ["a greeting of SMTP", "http", "220 mail.test ESMTP\r\n", notHttp],
    ["lines without CR", "http", "HTTP/1.1 200 OK\nContent-Length: 0\n\n", notHttp],
    ["a long head", "http", `HTTP/1.1 200 OK\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`, tooLarge],
    ["a greeting of SMTP", "https", "220 mail.test ESMTP\r\n", noTls],
    ["plain http", "https", "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", noTls],
  ])("with %s to %s is told as what it is", async (_, scheme, sent, reason) => {
    const server = createTcpServer((socket) => {
      socket.on("error", () => {})
      socket.once("data", () => socket.write(sent))
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.2", resolve))
    open.push({ close: () => server.close() })
    const { fetch } = await fetching({}, ["127.0.0.2"])
    const url = `${scheme}://127.0.0.2:${(server.address() as AddressInfo).port}/`
    expect(await fetch(url)).toEqual({ outcome: "failed", reason })
  })
})

describe("Headers of the caller", () => {
  test.each([
    { "x-a": "b\r\nx-evil: 1" },
    { "x-a": "b\nc" },
    { "x-a": "\0" },
    { "x-a\r\nx-evil": "1" },
    { "x a": "1" },
  ])("%p are refused", async (headers) => {
    const web = await serve("127.0.0.2")
    const { fetch } = await fetching({}, ["127.0.0.2"])
    expect((await fetch(`http://127.0.0.2:${web.port}/`, { headers })).outcome).toBe("refused")
    expect(web.seen).toEqual([])
  })

  test("and a method that is none are a failure, not an exception", async () => {
    const web = await serve("127.0.0.2")
    const { fetch } = await fetching({}, ["127.0.0.2"])
    expect((await fetch(`http://127.0.0.2:${web.port}/`, { method: "GET / HTTP/1.1\r\nX-Evil:" })).outcome).toBe(
      "failed",
    )
    expect(web.seen).toEqual([])
  })

  test("that belong to the connection are left out", async () => {
    const web = await serve("127.0.0.2")
    const { fetch } = await fetching({}, ["127.0.0.2"])
    const headers = { Host: "evil.test", "Content-Length": "1", "Transfer-Encoding": "chunked", "X-Own": "kept" }
    await fetch(`http://127.0.0.2:${web.port}/`, { method: "POST", body: "four", headers })
    expect(web.seen).toMatchObject([{ body: "four", headers: { host: `127.0.0.2:${web.port}`, "x-own": "kept" } }])
  })
})
