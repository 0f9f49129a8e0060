import { describe, expect, test } from "bun:test"
import { createLog } from "../../src/kernel/log.ts"
import type { Outgoing } from "../../src/mail/transport.ts"
import { type LazyMessage, lazyMessage, type MessageInput } from "../../src/mail/transports/lazy-message.ts"
import { textOfOwn, textOfShared } from "../../src/mail/transports/message-input.ts"
import { serialize } from "../../src/mail/transports/serialized-message.ts"
import { createTransportThread } from "../../src/mail/transports/thread.ts"
import type { FromThread, ToThread } from "../../src/mail/transports/thread-protocol.ts"
import { draftOf, messageTo } from "../contracts/messages.ts"
import { createFakeClock } from "../harness/fake-clock.ts"
import { until } from "../harness/store.ts"

/** A thread whose program is the test. */
function start() {
  const asked: ToThread[] = []
  const lines: string[] = []
  const thread = { terminated: 0 } as Worker & { terminated: number }
  thread.postMessage = (message: ToThread) => void asked.push(message)
  thread.terminate = () => void thread.terminated++
  const log = createLog((level, message, fields) => lines.push(`${level} ${message} ${JSON.stringify(fields)}`))
  const clock = createFakeClock()
  const transport = createTransportThread("smtp://mail.test", { log, clock }, () => thread)
  const says = (data: FromThread) => thread.onmessage?.({ data } as MessageEvent)
  const sends = () => asked.flatMap((message) => ("send" in message ? [message.send] : []))
  return {
    clock,
    transport,
    asked,
    lines,
    thread,
    says,
    fails: (message: string) => thread.onerror?.({ message } as ErrorEvent),
    /** Sends a message; resolves to its number on the thread. */
    async send(message: Outgoing, abort = new AbortController().signal) {
      const before = sends().length
      const receipts = transport.send([message], abort)
      await until(() => sends().length > before)
      return { id: sends().at(-1) as number, receipts }
    },
  }
}

const message = (begin: () => Promise<void> = async () => {}): Outgoing => ({ ...messageTo("ada@example.com"), begin })

/** One that the thread composes; `body` is what it shares with others. */
function lazyTo(
  address: string,
  body = "",
  rest: Partial<Pick<LazyMessage, "compose" | "saveLinks" | "begin">> = {},
): LazyMessage {
  const {
    headers: _,
    html: _html,
    text: _text,
    attachments: _attachments,
    ...own
  } = draftOf({ to: { name: "", address } })
  const { projectId, stream, bulk, list } = own
  const source = {
    ...{ projectId, stream, bulk, list, headers: {}, body, text: null, literal: false },
    ...{ footer: null, offersUnsubscribe: false, isTracked: false },
  }
  const input: MessageInput = {
    shared: { source, links: { baseUrl: "https://mail.test", keys: {} } },
    own: { ...own, contactId: null, variables: {}, locale: "en" },
    signedAt: 0,
  }
  return lazyMessage(input, {
    compose: async () => undefined,
    saveLinks: async () => {},
    begin: async () => {},
    ...rest,
  })
}

describe("A transport on a thread", () => {
  test("opens the transport first, and gives the receipts of the thread", async () => {
    const { asked, send, says } = start()
    const { id, receipts } = await send(message())
    expect(asked[0]).toEqual({ open: "smtp://mail.test" })
    says({ settled: id, outcome: "deferred", reason: "450 later", retryAt: 5 })
    expect(await receipts).toEqual([{ outcome: "deferred", reason: "450 later", retryAt: 5 }])
  })

  test("tells the thread to go on when the beginning is on record, not before", async () => {
    const { asked, send, says } = start()
    const onRecord = Promise.withResolvers<void>()
    const { id } = await send(message(() => onRecord.promise))
    says({ begin: id })
    await new Promise(setImmediate)
    expect(asked.some((one) => "begun" in one)).toBe(false)
    onRecord.resolve()
    await until(() => asked.some((one) => "begun" in one))
    expect(asked.at(-1)).toEqual({ begun: id })
  })

  test("tells the thread that a message may not be handed over", async () => {
    const { asked, send, says } = start()
    const { id } = await send(message(() => Promise.reject(new Error("The campaign was cancelled."))))
    says({ begin: id })
    await until(() => asked.some((one) => "begun" in one))
    expect(asked.at(-1)).toEqual({ begun: id, refused: "The campaign was cancelled." })
  })

  test("that fails defers what it had not begun; the outcome of the rest is unknown", async () => {
    const { transport, asked, lines, thread, send, says, fails } = start()
    const [waiting, begun] = [await send(message()), await send(message())]
    says({ begin: begun.id })
    await until(() => asked.some((one) => "begun" in one))
    fails("out of memory")
    const reason = "the thread that hands over mail has failed"
    expect(await waiting.receipts).toEqual([{ outcome: "deferred", reason }])
    expect(await begun.receipts).toEqual([{ outcome: "unknown", reason }])
    expect(transport.works).toBe(false)
    expect(thread.terminated).toBe(1)
    expect(lines).toEqual(['error The thread that hands over mail has failed {"messages":2,"reason":"out of memory"}'])
    const [later] = await transport.send([message()], new AbortController().signal)
    expect(later?.outcome).toBe("deferred")
  })

  test("is given nothing once the caller has stopped", async () => {
    const { asked, transport } = start()
    const stop = new AbortController()
    const preparing = transport.send([message()], stop.signal)
    stop.abort()
    const later = transport.send([message(), lazyTo("ada@example.com")], stop.signal)
    const receipts = (await Promise.all([preparing, later])).flat()
    expect(receipts.map(({ outcome }) => outcome)).toEqual(["deferred", "deferred", "deferred"])
    expect(asked.filter((one) => "send" in one)).toEqual([])
  })

  test("aborts together what shares a signal, and nothing else", async () => {
    const { asked, send } = start()
    const [first, second] = [new AbortController(), new AbortController()]
    await send(message(), first.signal)
    await send(message(), second.signal)
    await send(message(), first.signal)
    first.abort()
    const signals = asked.flatMap((one) => ("send" in one ? [one.signal] : []))
    expect(signals[0]).toBe(signals[2] as number)
    expect(signals[0]).not.toBe(signals[1] as number)
    expect(asked.filter((one) => "abort" in one)).toEqual([{ abort: signals[0] as number }])
  })

  test("is given once what messages share, and is told to make each from its own input", async () => {
    const { asked, send } = start()
    const [first, second] = [lazyTo("ada@example.com"), lazyTo("bob@example.com")]
    const ids = [await send(first), await send(second), await send(lazyTo("eve@example.com", "other"))]
    const shared = asked.flatMap((one) => ("share" in one ? [one] : []))
    expect(shared.map(({ text }) => text)).toEqual(
      [first, lazyTo("", "other")].map(({ input }) => textOfShared(input.shared)),
    )
    const [one, other] = shared.map(({ share }) => share)
    const sends = asked.flatMap((one) => ("send" in one && "own" in one ? [one] : []))
    expect(sends.map(({ send, shared }) => [send, shared])).toEqual(
      ids.map(({ id }, at) => [id, at < 2 ? one : other]) as never,
    )
    expect(sends.map(({ own }) => own)[1]).toBe(textOfOwn(second.input))
  })

  test("forgets what messages share when much else was shared since", async () => {
    const { asked, send } = start()
    for (let n = 0; n < 51; n++) await send(lazyTo("ada@example.com", `${n}`))
    const shared = asked.flatMap((one) => ("share" in one ? [one.share] : []))
    expect(asked.filter((one) => "unshare" in one)).toEqual([{ unshare: shared[0] as number }])
    await send(lazyTo("ada@example.com", "0"))
    expect(asked.filter((one) => "share" in one)).toHaveLength(52)
  })

  test("begins a message that it has composed only when its links are stored", async () => {
    const { asked, send, says } = start()
    const done: string[] = []
    const stored = Promise.withResolvers<void>()
    const message = lazyTo("ada@example.com", "", {
      begin: async () => void done.push("begun"),
      saveLinks: (targets) => {
        done.push(JSON.stringify([...targets]))
        return stored.promise
      },
    })
    const { id } = await send(message)
    says({ composed: id, targets: '[["key","https://acme.test"]]' })
    says({ begin: id })
    await new Promise(setImmediate)
    expect(done).toEqual(['[["key","https://acme.test"]]'])
    stored.resolve()
    await until(() => asked.some((one) => "begun" in one))
    expect([done.at(-1), asked.at(-1)]).toEqual(["begun", { begun: id }])
  })

  test("does not begin a message that has its receipt before its links are stored", async () => {
    const { asked, send, says } = start()
    const stored = Promise.withResolvers<void>()
    let begun = false
    const begin = async () => {
      begun = true
    }
    const { id, receipts } = await send(lazyTo("ada@example.com", "", { begin, saveLinks: () => stored.promise }))
    says({ composed: id, targets: '[["key","https://acme.test"]]' })
    says({ begin: id })
    says({ settled: id, outcome: "deferred", reason: "the connection broke" })
    expect((await receipts)[0]?.outcome).toBe("deferred")
    stored.resolve()
    await new Promise(setImmediate)
    expect([begun, asked.some((one) => "begun" in one && one.refused === undefined)]).toEqual([false, false])
  })

  test("does not hand over a message whose links cannot be stored", async () => {
    const { asked, send, says } = start()
    const saveLinks = () => Promise.reject(new Error("The disk is full."))
    const { id } = await send(lazyTo("ada@example.com", "", { saveLinks }))
    says({ composed: id, targets: '[["key","https://acme.test"]]' })
    says({ begin: id })
    await until(() => asked.some((one) => "begun" in one))
    expect(asked.at(-1)).toEqual({ begun: id, refused: "The disk is full." })
  })

  test("is given the message where it cannot compose it, under the same number", async () => {
    const { asked, send, says } = start()
    const composed = message()
    const { id, receipts } = await send(lazyTo("ada@example.com", "", { compose: async () => composed }))
    says({ notComposed: id })
    await until(() => asked.filter((one) => "send" in one).length === 2)
    const [first, second] = asked.filter((one) => "send" in one)
    expect(second).toEqual({ send: id, signal: first?.signal, ...(await serialize(composed)) } as never)
    says({ settled: id, outcome: "sent", providerId: null })
    expect((await receipts)[0]?.outcome).toBe("sent")
  })

  test("is not given a message that was aborted while it was composed, for it has forgotten the signal", async () => {
    const { asked, send, says } = start()
    const [abort, composing] = [new AbortController(), Promise.withResolvers<Outgoing>()]
    const { id, receipts } = await send(
      lazyTo("ada@example.com", "", { compose: () => composing.promise }),
      abort.signal,
    )
    says({ notComposed: id })
    abort.abort()
    composing.resolve(message())
    expect(await receipts).toEqual([{ outcome: "deferred", reason: "stopped before it was handed over" }])
    expect(asked.filter((one) => "send" in one)).toHaveLength(1)
  })

  test("has a receipt for a message that can be composed nowhere", async () => {
    const { asked, send, says } = start()
    const { id, receipts } = await send(lazyTo("ada@example.com"))
    says({ notComposed: id })
    expect((await receipts)[0]?.outcome).toBe("deferred")
    expect(asked.filter((one) => "send" in one)).toHaveLength(1)
  })

  test("has a receipt for a message that fails to be composed", async () => {
    const { lines, send, says } = start()
    const compose = () => Promise.reject(new Error("It cannot be read."))
    const { id, receipts } = await send(lazyTo("ada@example.com", "", { compose }))
    says({ notComposed: id })
    expect(await receipts).toEqual([{ outcome: "deferred", reason: "the message could not be composed" }])
    expect(lines).toEqual([expect.stringContaining("It cannot be read.")])
  })

  test("ends with its connections, and what has no receipt by then has one", async () => {
    const { transport, asked, thread, send, says } = start()
    const { receipts } = await send(message())
    const closing = transport.close()
    expect(asked.at(-1)).toEqual({ close: true })
    expect(thread.terminated).toBe(0)
    says({ closed: true })
    await closing
    expect(thread.terminated).toBe(1)
    expect((await receipts)[0]?.outcome).toBe("deferred")
  })

  test("that does not answer is ended after three seconds", async () => {
    const { clock, transport, thread } = start()
    const closing = transport.close()
    await clock.advance(3_000)
    await closing
    expect(thread.terminated).toBe(1)
  })
})
