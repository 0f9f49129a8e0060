import { describe, expect, test } from "bun:test"
import { deferred, type Outgoing, type Receipt, sent, type TransportPlugin } from "../../src/mail/transport.ts"
import { serialize } from "../../src/mail/transports/serialized-message.ts"
import { hostTransport } from "../../src/mail/transports/thread-host.ts"
import type { FromThread, ToThread } from "../../src/mail/transports/thread-protocol.ts"
import { draftOf, messageTo } from "../contracts/messages.ts"
import { until } from "../harness/store.ts"

type HandOver = (message: Outgoing, abort: AbortSignal) => Promise<Receipt>

/** The program of the thread, with a transport of the test. */
function start(handOver: HandOver) {
  const said: FromThread[] = []
  const thread = { postMessage: (message: FromThread) => void said.push(message) } as unknown as Worker
  const plugin: TransportPlugin = {
    schemes: [],
    create: () => ({
      name: "test",
      limits: { concurrency: 9, batch: 1 },
      beginsEach: true,
      send: (messages, abort) => Promise.all(messages.map((message) => handOver(message, abort))),
      close: async () => {},
    }),
  }
  hostTransport(thread, plugin)
  const tell = (data: ToThread) => thread.onmessage?.({ data } as MessageEvent)
  tell({ open: "test://mail.test" })
  return { said, tell }
}

/** What a tracked message is composed from. */
function inputOf(body: string) {
  const { projectId, stream, bulk, list, headers, html: _, attachments: _files, ...own } = draftOf()
  const keys = Object.fromEntries(
    ["open", "click"].map((kind) => [`link.${kind}`, Buffer.alloc(32).toString("base64")]),
  )
  const source = {
    ...{ projectId, stream, bulk, list, headers, body, text: null, literal: false, footer: null },
    ...{ offersUnsubscribe: false, isTracked: true },
  }
  return {
    text: JSON.stringify({ source, links: { baseUrl: "https://mail.test", keys } }),
    own: JSON.stringify({ own: { ...own, contactId: null, variables: { to: "ada" }, locale: "en" }, signedAt: 0 }),
  }
}

const linked = inputOf('<a href="https://acme.test/{{to}}">more</a>')

describe("A thread that holds a transport", () => {
  test("composes a message from its input, and hands it over once its links are stored", async () => {
    const handed: Outgoing[] = []
    const { said, tell } = start(async (message) => {
      await message.begin()
      handed.push(message)
      return sent(null)
    })
    tell({ share: 1, text: linked.text })
    tell({ send: 2, signal: 3, shared: 1, own: linked.own })
    await until(() => said.length > 1)
    const [composed, asked] = said
    if (composed === undefined || !("composed" in composed)) throw new Error("It did not tell the links first.")
    expect((JSON.parse(composed.targets) as string[][]).map(([, url]) => url)).toEqual(["https://acme.test/ada"])
    expect([composed.composed, asked, handed]).toEqual([2, { begin: 2 }, []])
    tell({ begun: 2 })
    await until(() => said.length > 2)
    expect(said[2]).toEqual({ settled: 2, outcome: "sent", providerId: null })
    expect(handed[0]?.html).toContain("https://mail.test/t/c/")
  })

  test("tells the links of a content until a message with them has begun", async () => {
    const { said, tell } = start(async (message) =>
      message.begin().then(
        () => sent(null),
        () => deferred("refused"),
      ),
    )
    tell({ share: 1, text: linked.text })
    const linksOf = async (id: number, answer: object): Promise<boolean> => {
      tell({ send: id, signal: 9, shared: 1, own: linked.own })
      await until(() => said.some((one) => "begin" in one && one.begin === id))
      tell({ begun: id, ...answer })
      await until(() => said.some((one) => "settled" in one && one.settled === id))
      return said.some((one) => "composed" in one && one.composed === id)
    }
    expect(await linksOf(2, { refused: "The disk is full." })).toBe(true)
    expect(await linksOf(3, {})).toBe(true)
    expect(await linksOf(4, {})).toBe(false)
  })

  test("gives back what it cannot compose, and what it has been told to forget", async () => {
    const { said, tell } = start(async () => sent(null))
    const faulty = inputOf("{{#each")
    tell({ share: 1, text: faulty.text })
    tell({ send: 2, signal: 3, shared: 1, own: faulty.own })
    tell({ share: 4, text: linked.text })
    tell({ send: 5, signal: 3, shared: 4, own: linked.own })
    tell({ unshare: 4 })
    tell({ send: 6, signal: 3, shared: 4, own: linked.own })
    await until(() => said.filter((one) => "notComposed" in one || "settled" in one).length === 3)
    expect(said.flatMap((one) => ("notComposed" in one ? [one.notComposed] : [])).sort()).toEqual([2, 6])
    expect(said.find((one) => "settled" in one)).toMatchObject({ settled: 5, outcome: "sent" })
  })

  test("takes a message that it could not compose under the same number, and aborts that with its signal", async () => {
    const { said, tell } = start(
      (_, abort) => new Promise((settle) => abort.addEventListener("abort", () => settle(deferred("stopped")))),
    )
    tell({ send: 2, signal: 3, shared: 1, own: linked.own })
    await until(() => said.length === 1)
    tell({ send: 2, signal: 3, ...(await serialize(messageTo("ada@example.com"))) })
    await new Promise(setImmediate)
    tell({ abort: 3 })
    await until(() => said.length === 2)
    expect(said).toEqual([{ notComposed: 2 }, { settled: 2, outcome: "deferred", reason: "stopped" }])
  })

  test("aborts all that shares a signal, also when others of it have ended", async () => {
    const { said, tell } = start((message, abort) => {
      if (message.to.address.startsWith("quick")) return Promise.resolve(sent(null))
      return new Promise((settle) => abort.addEventListener("abort", () => settle(deferred("stopped"))))
    })
    for (const [id, to] of [
      [2, "slow@example.com"],
      [4, "quick@example.com"],
    ] as const)
      tell({ send: id, signal: 3, ...(await serialize(messageTo(to))) })
    await until(() => said.length === 1)
    tell({ abort: 3 })
    await until(() => said.length === 2)
    expect(said.map((one) => "settled" in one && [one.settled, one.outcome])).toEqual([
      [4, "sent"],
      [2, "deferred"],
    ])
  })

  test("does not know what became of a message whose hand-over failed after it began, and only of that", async () => {
    const { said, tell } = start(async (message) => {
      if (message.to.address.startsWith("begun")) await message.begin()
      throw new Error("broken")
    })
    tell({ send: 2, signal: 3, ...(await serialize(messageTo("begun@example.com"))) })
    await until(() => said.length === 1)
    tell({ begun: 2 })
    tell({ send: 4, signal: 3, ...(await serialize(messageTo("early@example.com"))) })
    await until(() => said.length === 3)
    expect(said.slice(1)).toEqual([
      { settled: 2, outcome: "unknown", reason: "broken" },
      { settled: 4, outcome: "deferred", reason: "broken" },
    ])
  })
})
