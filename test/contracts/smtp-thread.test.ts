import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { Outgoing, Receipt } from "../../src/mail/transport.ts"
import { createFakeClock } from "../harness/fake-clock.ts"
import { type SmtpSink, startSink } from "../harness/smtp-sink.ts"
import { until } from "../harness/store.ts"
import { type BuiltTransport, buildWith } from "./build.ts"
import { messageTo } from "./messages.ts"

const clock = createFakeClock()
let sink: SmtpSink
let built: BuiltTransport
let mostOpen = 0
beforeAll(async () => {
  sink = await startSink()
  sink.always("mail", () => {
    mostOpen = Math.max(mostOpen, sink.connections.open)
    return undefined
  })
  built = await buildWith({ clock }, `smtp://127.0.0.1:${sink.port}?pool=4&insecure=true`)
})
afterAll(async () => {
  await built.transport.close()
  await sink.stop()
})

const never = new AbortController().signal
const bulk = (to: string): Outgoing => messageTo(to, { stream: "bulk", bulk: true })
/** One that is made when the promise resolves. */
const lazyFrom = (made: Promise<Outgoing>): Outgoing => {
  const rest = { input: {}, compose: () => made }
  return { ...bulk("late@example.com"), ...rest }
}
const to = (count: number, name: string) => Array.from({ length: count }, (_, n) => `${name}${n}@example.com`)

/** As the queue of a transport does: one call for each connection, the next one when it is free. */
async function sendAll(messages: readonly Outgoing[]): Promise<Receipt[]> {
  const waiting = [...messages]
  const receipts: Receipt[] = []
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      receipts.push(...(await built.transport.send([next], never)))
  }
  await Promise.all([worker(), worker(), worker(), worker()])
  return receipts
}

/** How many connections messages are handed over on that are opened for them. */
async function openedFor(messages: readonly Outgoing[]): Promise<number> {
  const before = sink.connections.total
  const receipts = await sendAll(messages)
  expect(receipts.map(({ outcome }) => outcome)).toEqual(messages.map(() => "sent"))
  return sink.connections.total - before
}

// A connection that is opened although there are idle ones is one of the other side.
describe("Mail by SMTP", () => {
  test("that is little, or transactional, does not start a thread", async () => {
    expect(await openedFor([bulk("first@example.com")])).toBe(1)
    expect(await openedFor([bulk("second@example.com")])).toBe(0)
    expect(await openedFor(to(20, "order").map((address) => messageTo(address)))).toBe(3)
  })

  test("leaves by a thread when four calls with bulk mail are under way, and then all of it does", async () => {
    expect(await openedFor(to(40, "news").map(bulk))).toBeGreaterThanOrEqual(1)
    expect(await openedFor(to(8, "reset").map((address) => messageTo(address)))).toBeLessThan(4)
    expect(await openedFor([messageTo("after@example.com")])).toBe(0)
  })

  test("that was made here while the thread was started leaves by the thread too", async () => {
    await clock.advance(30_000)
    await until(() => sink.connections.open === 0)
    const making = Promise.withResolvers<Outgoing>()
    const receipts = built.transport.send([lazyFrom(making.promise)], never)
    expect(await openedFor(to(40, "others").map(bulk))).toBeGreaterThanOrEqual(1)
    const before = sink.connections.total
    making.resolve(bulk("late@example.com"))
    expect((await receipts)[0]?.outcome).toBe("sent")
    expect(sink.connections.total).toBe(before)
  })

  test("that is under way for longer than half a minute does not lose its thread", async () => {
    const mayBegin = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    const begin = () => {
      asked.resolve()
      return mayBegin.promise
    }
    const receipts = built.transport.send([{ ...bulk("slow@example.com"), begin }], never)
    await asked.promise
    expect(await openedFor([bulk("beside@example.com")])).toBe(0)
    await clock.advance(60_000)
    mayBegin.resolve()
    expect((await receipts)[0]?.outcome).toBe("sent")
  })

  test("leaves once each", () => {
    const arrived = sink.messages.map((message) => message.to.join())
    expect(new Set(arrived).size).toBe(114)
    expect(arrived).toHaveLength(114)
  })

  test("leaves without a thread again half a minute after the last one, when all of its connections are closed", async () => {
    await clock.advance(30_000)
    await until(() => sink.connections.open === 0)
    expect(await openedFor([messageTo("alone@example.com")])).toBe(1)
    expect(clock.sleepers).toBe(0)
  })

  test("has the warnings of its configuration once", () => {
    expect(built.logged().match(/any certificate/g)).toHaveLength(1)
  })

  test("never has more connections than its pool", () => {
    expect(mostOpen).toBe(4)
  })

  test("is made by the transport only where it tells when each message begins, and no other may be tried", async () => {
    const takesLazy = async (...urls: string[]) => {
      const { transport } = await buildWith({ clock }, ...urls)
      await transport.close()
      return transport.takesLazy
    }
    const url = `smtp://127.0.0.1:${sink.port}`
    expect(await takesLazy(url)).toBe(true)
    expect([await takesLazy(url, `${url}?pool=2`), await takesLazy("capture:")]).toEqual([undefined, undefined])
  })

  test("starts no thread when it is closed, for a message that was still made here", async () => {
    let isDeaf = true
    const own = await startSink()
    own.always("mail", () => (isDeaf ? "hang" : undefined))
    const { transport } = await buildWith({ clock }, `smtp://127.0.0.1:${own.port}?pool=4`)
    const making = Promise.withResolvers<Outgoing>()
    const late = transport.send([lazyFrom(making.promise)], never)
    const others = to(3, "other").map((address) => transport.send([bulk(address)], never))
    await until(() => own.commands.some((line) => line.startsWith("MAIL")))
    const closing = transport.close()
    isDeaf = false
    making.resolve(bulk("late@example.com"))
    expect((await late)[0]?.outcome).toBe("deferred")
    await Promise.all([closing, ...others])
    expect(own.messages).toEqual([])
    await own.stop()
  })
})
