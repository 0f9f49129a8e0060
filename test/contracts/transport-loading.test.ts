import { afterAll, describe, expect, test } from "bun:test"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createPlugins } from "../../plugins/index.ts"
import { transportUrls } from "../../src/config/transport-url.ts"
import { systemClock } from "../../src/kernel/clock.ts"
import { createLog, silentLog } from "../../src/kernel/log.ts"
import { type Receipt, rejected, sent, type TransportPlugin, withheld } from "../../src/mail/transport.ts"
import { createTransports, type TransportSettings } from "../../src/mail/transports.ts"
import { buildTransport, buildWith, refusalOf } from "./build.ts"
import { messageTo } from "./messages.ts"

const directory = await mkdtemp(join(tmpdir(), "mailstead-plugins-"))
afterAll(() => rm(directory, { recursive: true }))

let files = 0

/** A plugin file with this text, as a transport URL. */
async function pluginUrl(text: string, name = `plugin-${++files}.ts`, query = ""): Promise<string> {
  await Bun.write(join(directory, name), text)
  return `plugin:${join(directory, name)}${query}`
}

const parts = {
  plugins: createPlugins(async () => sent(null)),
  tools: { log: silentLog, env: () => undefined },
  clock: systemClock,
}
const settings = (...url: string[]): TransportSettings => ({
  mail: { url, transactional: null, bulk: null },
  transports: {},
})

/** The faults of these URLs, one a line. */
async function complaint(...urls: string[]): Promise<string> {
  const made = await createTransports(settings(...urls), parts).catch((cause: unknown) => cause)
  return refusalOf(made)
}

const body = (send: string, rest = ""): string => `
  const transport = { name: "t", limits: { concurrency: 1, batch: 5 }, send: ${send}, close: async () => {}, ${rest} }
  export default { schemes: [], create: () => transport }`
const allSent = `async (messages) => messages.map(() => ({ outcome: "sent", providerId: null }))`

test("the configuration takes the scheme of every built-in transport", () => {
  const reading = transportUrls.read("unknown:", "text")
  const known = "expected" in reading ? reading.expected : ""
  const missing = parts.plugins.flatMap(({ schemes }) => schemes).filter((scheme) => !known.includes(`${scheme}:`))
  expect(missing.map((scheme) => `add ${scheme} to transportSchemes in src/config/transport-url.ts`)).toEqual([])
})

describe("a plugin file", () => {
  test.each(["ts", "js", "mjs"])("is loaded (.%s), with its options and its own imports", async (extension) => {
    await Bun.write(join(directory, `words-${extension}.ts`), `export const greet = (name) => "hello " + name`)
    const text = `import { greet } from "./words-${extension}.ts"
      export default { schemes: [], async create(url) {
        return { name: greet(url.searchParams.get("who")), limits: { concurrency: 1, batch: 1 }, send: ${allSent}, close: async () => {} }
      } }`
    const { transport, send } = await buildTransport(
      await pluginUrl(text, `greeter ${extension}.${extension}`, "?who=Ada"),
    )
    expect(transport.name).toBe("hello Ada")
    expect(await send(messageTo("x@shop.test"))).toEqual(sent(null))
  })

  test("keeps its `this`", async () => {
    const text = `class Own {
        name = "own"; limits = { concurrency: 1, batch: 1 }; seen = 0
        async check() { this.seen++ }
        async send(messages) { return messages.map(() => ({ outcome: "sent", providerId: "seen-" + ++this.seen })) }
        async close() { this.seen = 0 }
      }
      export default { schemes: [], own: new Own(), create() { return this.own } }`
    const { transport, send } = await buildTransport(await pluginUrl(text))
    expect(await send(messageTo("x@shop.test"))).toEqual(sent("seen-2"))
    await transport.close()
  })

  test.each([
    ["does not exist", undefined, /no such file/],
    ["is not valid TypeScript", "export default {\n  create( { return 1 }\n}", /cannot be loaded: .*line 2/],
    ["throws while it is loaded", "throw new Error('no\\nluck')", /cannot be loaded: no$/],
    [
      "imports what is not there",
      "import x from 'nowhere-to-be-found'\nexport default x",
      /cannot be loaded: .*nowhere/,
    ],
    ["exports nothing", "export const x = 1", /default export is not a transport plugin/],
    ["exports a function", "export default () => 1", /default export is not a transport plugin/],
    ["has no create", "export default { schemes: [] }", /no function `create`/],
    ["creates nothing", "export default { create: () => undefined }", /`create` gave no transport/],
    ["throws in create", "export default { create() { throw new Error('no key given') } }", /: no key given$/],
    ["has no send", "export default { create: () => ({ name: 't', limits: {}, close() {} }) }", /no function `send`/],
    ["has no close", "export default { create: () => ({ name: 't', send() {} }) }", /no function `close`/],
    ["has no name", "export default { create: () => ({ send() {}, close() {} }) }", /no `name`/],
    ["has no limits", "export default { create: () => ({ name: 't', send() {}, close() {} }) }", /no `limits`/],
    ["has a wrong limit", body(allSent).replace("batch: 5", "batch: 0"), /`limits\.batch`.*whole number/],
    ["has a wrong rate", body(allSent).replace("batch: 5", "batch: 5, perSecond: -1"), /`limits\.perSecond`/],
    ["has a check of another type", body(allSent, "check: 7"), /`check` .* not a function/],
    ["fails its check", body(allSent, "check: async () => { throw new Error('bad token') }"), /: bad token$/],
  ])("that %s gives a one-line error", async (_, text, expected) => {
    const url = text === undefined ? `plugin:${join(directory, "gone.ts")}` : await pluginUrl(text)
    const message = await complaint(url)
    expect(message).toMatch(expected)
    expect(message.startsWith(`mail.url: ${url}: `)).toBe(true)
    expect(message).not.toContain("\n")
  })

  test("that is not ready in half a minute gives a one-line error", async () => {
    const url = await pluginUrl("export default { create: () => new Promise(() => {}) }")
    const slept: number[] = []
    const sleep = async (ms: number) => void slept.push(ms)
    const made = createTransports(settings(url), { ...parts, clock: { now: () => 0, sleep } })
    await expect(made).rejects.toThrow(`mail.url: ${url}: it is not ready after 30 seconds`)
    expect(slept).toEqual([30_000])
  })

  test("must be named by an absolute path", async () => {
    expect(await complaint("plugin:way.ts")).toContain("plugin:/absolute/path/of/file.ts")
    expect(await complaint("plugin://host/way.ts")).toContain("plugin:/absolute/path/of/file.ts")
  })
})

describe("the guard around a plugin", () => {
  const good = `{ outcome: "sent", providerId: "p" }`

  test.each([
    ["rejects", `async () => { throw new Error("oh no") }`],
    ["throws", `() => { throw new Error("oh no") }`],
    ["gives nothing", `async () => undefined`],
    ["gives too few receipts", `async () => [${good}]`],
    ["gives too many receipts", `async () => [${good}, ${good}, ${good}]`],
  ])("counts the whole batch as unknown when send %s", async (_, source) => {
    const { transport, logged } = await buildTransport(await pluginUrl(body(source)))
    const receipts = await transport.send(
      [messageTo("x@shop.test"), messageTo("y@shop.test")],
      new AbortController().signal,
    )
    expect(receipts.map(({ outcome }) => outcome)).toEqual(["unknown", "unknown"])
    expect(logged()).toMatch(/^error transport t: it (failed: oh no|gave)/)
  })

  test.each(["", "beginsEach: true"])("keeps its list when send empties the one it is given (%s)", async (rest) => {
    const taking = `async (messages) => {
      const receipts = []
      while (messages.length > 0) receipts.push({ outcome: "sent", providerId: messages.shift().id })
      return receipts
    }`
    const { transport } = await buildTransport(await pluginUrl(body(taking, rest)))
    const messages = [messageTo("x@shop.test"), messageTo("y@shop.test")]
    const expected = messages.map(({ id }) => sent(id))
    expect(await transport.send(messages, new AbortController().signal)).toEqual(expected)
    expect(messages).toHaveLength(2)
  })

  test("counts a single invalid receipt as unknown, and keeps the others", async () => {
    const odd = `async () => [${good}, { outcome: "delivered" }, null, "sent", { outcome: "rejected" }]`
    const { transport } = await buildTransport(await pluginUrl(body(odd)))
    const messages = Array.from({ length: 5 }, () => messageTo("x@shop.test"))
    const receipts = await transport.send(messages, new AbortController().signal)
    expect(receipts.map(({ outcome }) => outcome)).toEqual(["sent", "unknown", "unknown", "unknown", "rejected"])
  })

  test("counts a receipt that was left out as unknown, so that no other transport sends the message too", async () => {
    const partial = `async (messages) => {
      const receipts = new Array(messages.length)
      receipts[1] = ${good}
      return receipts
    }`
    const { transport, captured } = await buildTransport(await pluginUrl(body(partial)), "capture:")
    const messages = [messageTo("x@shop.test"), messageTo("y@shop.test")]
    const receipts = await transport.send(messages, new AbortController().signal)
    expect(receipts.map(({ outcome }) => outcome)).toEqual(["unknown", "sent"])
    expect(captured).toEqual([])
  })

  test.each([{}, { unreachable: true }, { uncounted: true }, { unreachable: true, uncounted: true }])(
    "keeps a retry time (%p)",
    async (mark) => {
      const receipt = { outcome: "deferred", reason: "busy", retryAt: 1700000000000, ...mark } as const
      const text = `async () => [${JSON.stringify({ ...receipt, extra: 1 })}]`
      const { send } = await buildTransport(await pluginUrl(body(text)))
      expect(await send(messageTo("x@shop.test"))).toEqual(receipt as Receipt)
    },
  )

  test("keeps that a message was withheld", async () => {
    const text = `async ([message]) => [{ outcome: "deferred", reason: "no", withheld: true, extra: 1 }]`
    const { send } = await buildTransport(await pluginUrl(body(text)))
    expect(await send(messageTo("x@shop.test"))).toEqual(withheld("no"))
  })

  test.each(["1e300", "NaN", "Infinity", "'soon'"])("ignores a retry time that is none: %s", async (retryAt) => {
    const text = `async () => [{ outcome: "deferred", reason: "busy", retryAt: ${retryAt} }]`
    const { send } = await buildTransport(await pluginUrl(body(text)))
    expect(await send(messageTo("x@shop.test"))).toEqual({ outcome: "deferred", reason: "busy" })
  })

  test("waits three seconds for a plugin that does not close, because a server has to stop", async () => {
    const text = body(allSent).replace("close: async () => {}", "close: () => new Promise(() => {})")
    const sleep = (ms: number) => (ms === 3_000 ? Promise.resolve() : new Promise<void>(() => {}))
    const { transport, logged } = await buildWith({ clock: { now: () => 0, sleep } }, await pluginUrl(text))
    await transport.close()
    expect(logged()).toMatch(/^warn transport t: closing failed .*it is not closed after 3 seconds/m)
  })

  test("closes a plugin once, and survives a failure to close", async () => {
    const text = body(allSent).replace("close: async () => {}", "close: async () => { throw new Error('stuck') }")
    const { transport, logged } = await buildTransport(await pluginUrl(text))
    await Promise.all([transport.close(), transport.close()])
    expect(logged().match(/closing failed/g)).toHaveLength(1)
  })

  test("shortens reasons to 500 characters, without half a secret or half a character at the end", async () => {
    const text = `export default { create: (url) => ({
      name: "way of " + url.searchParams.get("api_key"), limits: { concurrency: 1, batch: 1 }, close: async () => {},
      send: async () => {
        const filler = "x".repeat(url.searchParams.has("long") ? 499 : 490)
        return [{ outcome: "rejected", reason: filler + (url.searchParams.has("long") ? "😀" : url.searchParams.get("api_key")) }]
      } }) }`
    const url = await pluginUrl(text, "wordy.ts", "?api_key=long-secret-key")
    const { transport, send } = await buildTransport(url)
    expect(transport.name).toBe("way of ***")
    expect(await send(messageTo("x@shop.test"))).toEqual(rejected(`${"x".repeat(490)}***`))
    const other = await buildTransport(`${url}&long=1`)
    expect(await other.send(messageTo("x@shop.test"))).toEqual(rejected(`${"x".repeat(499)}\ufffd`))
  })

  test("takes an empty id of the provider for none", async () => {
    const { send } = await buildTransport(await pluginUrl(body(`async () => [{ outcome: "sent", providerId: "" }]`)))
    expect(await send(messageTo("x@shop.test"))).toEqual(sent(null))
  })

  test("removes short values of options only where the name says that they are secret", async () => {
    const text = body(`async () => [{ outcome: "rejected", reason: "s3 t0 k3 a7 c4 p5 eu" }]`)
    const query = "?client_secret=s3&TOKEN=t0&key=k3&auth=a7&credential=c4&passphrase=p5&region=eu"
    const { send } = await buildTransport(await pluginUrl(text, "short.ts", query))
    expect(await send(messageTo("x@shop.test"))).toEqual(rejected("*** *** *** *** *** *** eu"))
  })

  test("removes the secrets of the URL from reasons, errors and logs", async () => {
    const text = `export default { create: (url, { log }) => ({
      name: "t", limits: { concurrency: 1, batch: 1 }, close: async () => {},
      check: async () => { if (url.searchParams.has("broken")) throw new Error("refused with " + url) },
      send: async () => {
        log.info("using " + url.password, { key: url.searchParams.get("api_key"), all: { url: url.href } })
        log.warn("it failed", { cause: new Error("with " + url.password + url.searchParams.getAll("api_key")) })
        return [{ outcome: "rejected", reason: "no entry for " + url.searchParams.get("api_key") }]
      } }) }`
    const url = await pluginUrl(text, "leaky.ts", "?api_key=first-key&api_key=second%2Fkey&region=northern-lights")
    const { send, logged } = await buildTransport(url)
    const told = JSON.stringify(await send(messageTo("x@shop.test"))) + logged() + (await complaint(`${url}&broken=1`))
    for (const secret of ["first-key", "second/key", "second%2Fkey", "northern-lights"])
      expect(told).not.toContain(secret)
    expect(told).toContain("no entry for ***")
  })
})

describe("the transports that the configuration names", () => {
  test.each([
    ["smtp://user:pa55word@mail.test?tsl=off", /^mail\.url: smtp:\/\/mail\.test: there is no option "tsl"/],
    ["smtp://user:pa55word@mail.test?tls=maybe", /tls is "required" or "off"/],
    ["smtps://user:pa55word@mail.test?tls=off", /leave tls out/],
    ["smtp://user:pa55word@mail.test?pool=0", /pool is a number from 1 to 100/],
    ["smtp://user:pa55word@mail.test?pool=2.5", /pool is a number from 1 to 100/],
    ["smtp://user:pa55word@mail.test?timeout=soon", /timeout is a number/],
    ["smtp://user:pa55word@mail.test?insecure=yes", /insecure is "true" or "false"/],
    ["smtp://user:pa55word@mail.test?name=a%0d%0ab", /name is the host name/],
    ["smtp://user:pa55word@mail.test?auth=digest", /auth is one of plain, login, cram-md5, xoauth2/],
    ["smtp://user:pa55word@mail.test?client=swaks", /client is "nodemailer"/],
    ["smtp://user:pa55word@mail.test?client=nodemailer&auth=login", /auth is an option of our own client/],
    ["smtp://user@mail.test", /both user and password/],
    ["smtp://user:pa55word%zz@mail.test", /%25/],
    ["smtp://user:pa55word@mail.test:0", /port 0/],
    ["smtp://user:pa55word@mail.test:port", /not a URL/],
    ["fax://user:pa55word@mail.test", /no plugin knows fax:/],
    ["smtp://user:pa55word@ma%zzil.test", /^mail\.url: .*(?:not a URL|%25)/],
  ])("are refused with a one-line error: %s", async (url, expected) => {
    const message = await complaint(url)
    expect(message).toMatch(expected)
    expect(message).not.toContain("pa55word")
  })

  test("are all refused at once, each with its own line", async () => {
    expect((await complaint("smtp://a.test?x=1", "fax:b", "capture:")).split("\n")).toHaveLength(2)
  })

  test("are captured when no transport is configured", async () => {
    const { transport, captured, send } = await buildTransport()
    await send(messageTo("x@shop.test"))
    expect(transport.name).toBe("capture")
    expect(captured.map(({ to }) => to.address)).toEqual(["x@shop.test"])
  })

  test("may differ by lane, each with its own rate; each is closed once", async () => {
    let closed = 0
    const counting: TransportPlugin = {
      schemes: ["count"],
      create: (url) => ({
        name: url.host,
        limits: { concurrency: 1, batch: 1, perSecond: 50 },
        send: async (messages) => messages.map(() => sent(null)),
        close: async () => void closed++,
      }),
    }
    const transports = {
      slow: { url: ["count://slow"], maxPerSecond: 10 },
      quick: { url: ["count://quick"], maxPerSecond: 100 },
      unused: { url: ["fax://nobody"], maxPerSecond: null },
    }
    const own = { ...parts, plugins: [counting] }
    const lanes = await createTransports({ mail: { url: [], transactional: "quick", bulk: "slow" }, transports }, own)
    expect([lanes.transactional.name, lanes.transactional.limits.perSecond]).toEqual(["quick", 50])
    expect([lanes.bulk.name, lanes.bulk.limits.perSecond]).toEqual(["slow", 10])
    await lanes.close()
    expect(closed).toBe(2)
    const shared = await createTransports({ mail: { url: [], transactional: "slow", bulk: "slow" }, transports }, own)
    expect(shared.bulk).toBe(shared.transactional)
    await shared.close()
    expect(closed).toBe(3)
    const broken = createTransports({ mail: { url: [], transactional: "slow", bulk: "unused" }, transports }, own)
    expect(broken).rejects.toThrow("transports.unused.url: fax:")
    await broken.catch(() => {})
    expect(closed).toBe(4)
  })

  test("warn when a server's certificate is not verified", async () => {
    const lines: string[] = []
    const log = createLog((level, message) => lines.push(`${level} ${message}`))
    await createTransports(settings("smtp://mail.test?insecure=true"), { ...parts, tools: { ...parts.tools, log } })
    expect(lines).toEqual(["warn any certificate of the mail server is accepted"])
  })
})
