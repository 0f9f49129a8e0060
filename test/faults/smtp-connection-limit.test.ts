import { expect, test } from "bun:test"
import { buildTransport } from "../contracts/build.ts"
import { messageTo } from "../contracts/messages.ts"
import { startSink } from "../harness/smtp-sink.ts"

const tooMany = "421 4.7.0 Too many concurrent connections, come back later"

/** Sends so many messages at once; resolves to how many had which outcome. */
async function outcomesOf(send: Awaited<ReturnType<typeof buildTransport>>["send"], count: number) {
  const receipts = await Promise.all(Array.from({ length: count }, (_, i) => send(messageTo(`ada${i}@example.com`))))
  return Object.fromEntries(
    ["sent", "deferred"].map((outcome) => [outcome, receipts.filter((receipt) => receipt.outcome === outcome).length]),
  )
}

test.each([
  ["our own client", ""],
  ["that of nodemailer", "&client=nodemailer"],
])(
  "a server that takes two connections gets all mail over them, and is asked for more only once: %s",
  async (_, client) => {
    const sink = await startSink()
    sink.always("connect", () => (sink.connections.open > 2 ? tooMany : undefined))
    const { transport, send } = await buildTransport(`smtp://127.0.0.1:${sink.port}?pool=4${client}`)
    expect(await outcomesOf(send, 30)).toEqual({ sent: 30, deferred: 0 })
    expect(await outcomesOf(send, 30)).toEqual({ sent: 30, deferred: 0 })
    expect(sink.connections.total).toBe(4)
    await transport.close()
    await sink.stop()
  },
)

test.each([
  ["our own client", ""],
  ["that of nodemailer", "&client=nodemailer"],
])("a server that takes three messages on a connection gets the others on new ones: %s", async (_, client) => {
  const sink = await startSink({ messagesPerConnection: 3 })
  const { transport, send } = await buildTransport(`smtp://127.0.0.1:${sink.port}?pool=4${client}`)
  expect(await outcomesOf(send, 60)).toEqual({ sent: 60, deferred: 0 })
  await transport.close()
  await sink.stop()
})

test("a server that takes no connection has the mail deferred, and all that it takes later", async () => {
  const sink = await startSink()
  sink.always("connect", () => tooMany)
  const { transport, send } = await buildTransport(`smtp://127.0.0.1:${sink.port}?pool=4`)
  expect(await outcomesOf(send, 12)).toEqual({ sent: 0, deferred: 12 })
  sink.always("connect", undefined)
  const before = sink.connections.total
  expect(await outcomesOf(send, 12)).toEqual({ sent: 12, deferred: 0 })
  expect(sink.connections.total - before).toBe(4)
  await transport.close()
  await sink.stop()
})
