import { describe, expect, test } from "bun:test"
import { buildTransport } from "../contracts/build.ts"
import { messageTo } from "../contracts/messages.ts"
import { startSink } from "../harness/smtp-sink.ts"
import { type Direction, startTcpCut } from "../harness/tcp-cut.ts"

/** What a mail server can offer, and so how the hand-over is written. */
const dialogues = [
  ["with pipelining", ["PIPELINING", "SIZE 50000000"]],
  ["command by command", []],
  ["with pipelining and chunks", ["PIPELINING", "CHUNKING"]],
] as const

const message = () => messageTo("ada@example.com", { html: "<p>Hi</p>\n.\n.\n" })
const raw = Buffer.from(message().mime())
/** The last reply: by then the content has been sent. */
const verdict = "250 2.0.0 queued as 1A2B\r\n".length

describe.each(dialogues)("a connection %s that ends after any octet", (_, extensions) => {
  const isChunk = extensions.some((one) => one === "CHUNKING")
  const content = isChunk
    ? `BDAT ${raw.length} LAST\r\n`.length + raw.length
    : raw.toString("latin1").replace(/^\./gm, "..").length + ".\r\n".length

  async function start() {
    const sink = await startSink({ extensions })
    const cut = await startTcpCut(sink.port)
    const { transport } = await buildTransport(`smtp://127.0.0.1:${cut.port}?pool=1`)
    const send = async () => (await transport.send([message()], new AbortController().signal))[0]?.outcome
    const stop = async () => {
      await transport.close()
      await cut[Symbol.asyncDispose]()
      await sink.stop()
    }
    return { sink, cut, send, stop }
  }

  /** Octets of the first hand-over on a connection, and of it and the next one. */
  async function sizes() {
    const { cut, send, stop } = await start()
    const measured = [{ toServer: 0, toClient: 0 }]
    for (let mails = 0; mails < 2; mails++) {
      await send()
      measured.push({ toServer: cut.passed("toServer"), toClient: cut.passed("toClient") })
    }
    await stop()
    return measured
  }

  /** Sends a mail over a connection that is cut in the hand-over of that index; counts how often it came. */
  async function sendCut(index: number, direction: Direction, at: number) {
    const { sink, cut, send, stop } = await start()
    cut.cutNext(direction, at)
    for (let mails = 0; mails < index; mails++) await send()
    const outcome = await send()
    await stop()
    return { at, outcome, came: sink.messages.length - index }
  }

  /** The outcome while only the envelope has gone: a mail on a used connection goes over a new one. */
  const before = [
    { outcome: "deferred", came: 0 },
    { outcome: "sent", came: 1 },
  ] as const

  test.each([0, 1] as const)(
    "has mail %p on it neither lost nor twice, and unknown only when its content was sent",
    async (index) => {
      const measured = await sizes()
      const [from, to] = [measured[index], measured[index + 1]]
      if (!from || !to) throw new Error("nothing was measured")

      const envelope = to.toServer - content
      for (let at = from.toServer; at < to.toServer; at++) {
        // The content is one write: its octets are much alike.
        if (at > envelope + 20 && at < to.toServer - 8 && at % 29 > 0) continue
        const expected = at <= envelope ? before[index] : { outcome: "unknown" as const, came: 0 }
        expect(await sendCut(index, "toServer", at)).toEqual({ at, ...expected })
      }

      for (let at = from.toClient; at < to.toClient; at++) {
        const result = await sendCut(index, "toClient", at)
        const expected = at < to.toClient - verdict ? before[index] : { outcome: "unknown" as const, came: result.came }
        expect(result).toEqual({ at, ...expected })
        expect(result.came).toBeLessThan(2)
      }
    },
  )
})

test("replies that come octet by octet are read", async () => {
  const sink = await startSink({ extensions: ["PIPELINING"] })
  const cut = await startTcpCut(sink.port)
  const { transport, send } = await buildTransport(`smtp://127.0.0.1:${cut.port}?pool=1`)
  cut.trickle()
  expect([(await send(message())).outcome, (await send(message())).outcome]).toEqual(["sent", "sent"])
  expect([sink.messages.length, sink.connections.total]).toEqual([2, 1])
  await transport.close()
  await cut[Symbol.asyncDispose]()
  await sink.stop()
})
