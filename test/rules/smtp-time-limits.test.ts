import { afterEach, beforeEach, expect, jest, test } from "bun:test"
import { EventEmitter } from "node:events"
import type net from "node:net"
import { readExtensions } from "../../plugins/smtp/client/extensions.ts"
import { createTransaction } from "../../plugins/smtp/client/transaction.ts"
import { createWire } from "../../plugins/smtp/client/wire.ts"
import { readOptions } from "../../plugins/smtp/options.ts"
import type { Delivery } from "../../plugins/smtp/session.ts"
import { lastLookMs } from "../../src/kernel/time-limit.ts"
import { messageTo } from "../contracts/messages.ts"

const second = 1_000
/** A second, and what an answer is looked for after its time. */
const lastSecond = (second + lastLookMs) / second

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

/** Lets everything happen that needs no time. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve()
}

/** A connection to a server that says only what the test does. */
function connect(extensions: readonly string[]) {
  const socket = Object.assign(new EventEmitter(), { write: () => true, destroy: () => {} })
  const { times, host } = readOptions(new URL("smtp://mx.shop.test"))
  const lines = ["250 mx.shop.test", ...extensions.map((name) => `250 ${name}`)]
  const transaction = createTransaction(createWire(socket as unknown as net.Socket), {
    ...{ times, host, extensions: readExtensions(lines), text: (words) => words, withoutChunks: () => {} },
  })
  return {
    /** Hands a message over; the result is undefined until there is one. */
    send() {
      const sent: { result?: Delivery } = {}
      const message = messageTo("ada@example.com")
      const bounds = { first: false, abort: new AbortController().signal, until: performance.now() + times.total }
      void transaction(message, message.mime(), bounds).then((result) => {
        sent.result = result
      })
      return sent
    },
    /** A reply after so many seconds. */
    async says(reply: string, after = 0) {
      await settle()
      jest.advanceTimersByTime(after * second)
      socket.emit("data", Buffer.from(`${reply}\r\n`))
      await settle()
    },
    async silence(seconds: number) {
      await settle()
      jest.advanceTimersByTime(seconds * second)
      await settle()
    },
  }
}

test("A server has five minutes for MAIL, and no more (RFC 5321, 4.5.3.2)", async () => {
  const server = connect([])
  const sent = server.send()
  await server.silence(299)
  expect(sent.result).toBeUndefined()
  await server.silence(lastSecond)
  expect(sent.result?.receipt).toMatchObject({ outcome: "deferred", unreachable: true })
})

test.each([[[]], [["PIPELINING"]], [["PIPELINING", "CHUNKING"]]])(
  "With %p each reply has its own time, and the whole hand-over nine minutes and a half",
  async (extensions) => {
    const server = connect(extensions)
    const sent = server.send()
    await server.says("250 sender", 200)
    await server.says("250 recipient", 250)
    if (!extensions.includes("CHUNKING")) await server.says("354 go on", 100)
    else await server.silence(100)
    await server.silence(19)
    expect(sent.result).toBeUndefined()
    await server.silence(lastSecond)
    expect(sent.result?.receipt).toMatchObject({ outcome: "unknown" })
  },
)

test.each([["DATA"], ["BDAT"]])(
  "A message that is handed over by %s waits longer for its reply than its parts do",
  async (command) => {
    const server = connect(command === "BDAT" ? ["PIPELINING", "CHUNKING"] : ["PIPELINING"])
    // On a connection that is in use for longer than any reply may take.
    for (let mails = 0; mails < 5; mails++) {
      const sent = server.send()
      await server.says("250 sender", 20)
      await server.says("250 recipient")
      if (command === "DATA") await server.says("354 go on")
      await server.says("250 queued", 500)
      expect(sent.result).toMatchObject({ receipt: { outcome: "sent" }, reusable: true })
    }
  },
)
