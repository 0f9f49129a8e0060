import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { compose } from "../../src/mail/compose.ts"
import { type Outgoing, type Receipt, sent, withheld } from "../../src/mail/transport.ts"
import type { ApiReply } from "../harness/api-server.ts"
import { createFakeClock, type FakeClock } from "../harness/fake-clock.ts"
import { type PostmarkServer, postmarkToken, startPostmark } from "../harness/postmark-server.ts"
import { startSink } from "../harness/smtp-sink.ts"
import { type BuiltTransport, buildTransport, buildWith, refusalOf, stopBeforeAnswer } from "./build.ts"
import { messageTo, richDraft } from "./messages.ts"

// Shapes and codes: "Send batch emails", "Email API" and "API overview: HTTP response codes, API error codes" of
// Postmark's developer documentation.

const batchPath = "/email/batch"
const never = new AbortController().signal

let postmark: PostmarkServer
let clock: FakeClock
let built: BuiltTransport

beforeEach(async () => {
  postmark = await startPostmark()
  clock = createFakeClock()
  built = await buildWith({ clock }, postmark.transportUrl("timeout=1"))
})
afterEach(async () => {
  await built.transport.close()
  await postmark.stop()
})

const send = (...to: string[]): Promise<Receipt[]> =>
  built.transport.send(
    to.map((name) => messageTo(`${name}@example.com`)),
    never,
  )
const shown = (receipt: Receipt | undefined) =>
  receipt?.outcome === "deferred" && receipt.unreachable ? "unreachable" : receipt?.outcome
const posts = () => postmark.calls.filter(({ path }) => path === batchPath).length

test("a message goes as fields: headers, Message-ID, attachments, stream, tag and ids", async () => {
  const message = compose({ ...richDraft("accept@example.com"), stream: "bulk" })
  expect(await built.send(message)).toMatchObject({ outcome: "sent", providerId: expect.stringMatching(/^b7bc2f4a-/) })
  const [fields] = postmark.messages
  expect(fields).toMatchObject({
    From: '"Łódź \\"Shop\\", Inc." <hi@shop.test>',
    To: '"Ada Lövelace ✉" <accept@example.com>',
    ReplyTo: "help@shop.test",
    MessageStream: "broadcast",
    Tag: message.projectId,
    Metadata: { "mailstead-email": message.id, "mailstead-project": message.projectId },
    TrackOpens: false,
    TrackLinks: "None",
  })
  const header = (name: string) => fields?.Headers.find(({ Name }) => Name === name)?.Value
  expect([header("Message-ID"), header("X-PM-KeepID")]).toEqual([`<${message.messageId}>`, "true"])
  expect(header("List-Unsubscribe")).toContain("/unsubscribe/")
  expect(fields?.Attachments.map(({ Name, ContentID }) => [Name, ContentID])).toEqual([
    ["logo.png", "cid:logo"],
    ["Übersicht 1.pdf", undefined],
    ["dots.txt", undefined],
  ])
})

test("a picture whose content id Postmark does not take, as one with a space, goes under another that the HTML names", async () => {
  const file = { contentType: "image/png", content: new Uint8Array(3), disposition: "inline" as const }
  const ids = ["logo 1", "logo 1 größer", "plain"]
  const attachments = ids.map((contentId) => ({ ...file, filename: `${contentId}.png`, contentId }))
  const html = `<img src="cid:logo 1"><img src='cid:logo%201'><img src="cid:logo 1 größer"><img src="cid:plain">`
  expect((await built.send(messageTo("accept@example.com", { attachments, html }))).outcome).toBe("sent")
  const [fields] = postmark.messages
  const [small, large, plain] = fields?.Attachments.map(({ ContentID }) => ContentID) ?? []
  expect(new Set([small, large, plain]).size).toBe(3)
  expect([...(fields?.HtmlBody.match(/cid:[^"']+/g) ?? [])]).toEqual([small, small, large, plain] as string[])
  expect(plain).toBe("cid:plain")
})

test("what is signed goes by its parts, because Postmark takes no MIME", async () => {
  const file = {
    contentType: "message/rfc822",
    contentId: null,
    content: Buffer.from("Content-Type: multipart/signed"),
  }
  const attachments = [
    { ...file, filename: "signature.asc", disposition: "attachment" as const },
    { ...file, filename: "body.eml", disposition: "body" as const },
  ]
  expect((await built.send(messageTo("accept@example.com", { attachments }))).outcome).toBe("sent")
  expect(postmark.messages[0]?.Attachments.map(({ Name }) => Name)).toEqual(["signature.asc"])
})

test("each stream has its message stream, which the URL may name", async () => {
  const own = await buildTransport(postmark.transportUrl("transactional=receipts&bulk=news"))
  for (const stream of ["transactional", "bulk"] as const) await own.send(messageTo("accept@example.com", { stream }))
  expect(postmark.messages.map(({ MessageStream }) => MessageStream)).toEqual(["receipts", "news"])
  await own.transport.close()
})

describe("a batch", () => {
  test("of 500 is one request, and each message has the receipt of its own entry", async () => {
    expect(built.transport.limits.batch).toBe(500)
    const names = Array.from({ length: 500 }, (_, at) => (at % 2 === 0 ? `accept+${at}` : `reject+${at}`))
    const receipts = await send(...names)
    expect(receipts.map(({ outcome }) => outcome)).toEqual(names.map((_, at) => (at % 2 === 0 ? "sent" : "rejected")))
    expect([postmark.batches, postmark.messages.length]).toEqual([[500], 250])
  })

  test("that is too large to leave in time over a slow line is several requests", async () => {
    const content = new Uint8Array(1_200_000)
    const attachments = [{ filename: "a.bin", contentType: "application/octet-stream", contentId: null, content }]
    const messages = Array.from({ length: 5 }, () =>
      messageTo("accept@example.com", {
        attachments: attachments.map((one) => ({ ...one, disposition: "attachment" })),
      }),
    )
    const receipts = await built.transport.send(messages, never)
    expect(receipts.map(({ outcome }) => outcome)).toEqual(Array(5).fill("sent"))
    expect(postmark.batches).toEqual([3, 2])
  })

  test("that is refused as a whole because of one message is halved until that one is found", async () => {
    const receipts = await send("accept+1", "accept+2", "spoil", "accept+4")
    expect(receipts.map(({ outcome }) => outcome)).toEqual(["sent", "sent", "rejected", "sent"])
    expect(postmark.batches).toEqual([4, 2, 2, 1, 1])
  })

  test.each([
    [422, 300],
    [422, 402],
    [422, 403],
    [422, 410],
    [422, 411],
    [413, 0],
  ])(
    "that is refused with %p and the code %p, which may be for one of its messages, is halved",
    async (status, code) => {
      postmark.next(batchPath, { status, body: { ErrorCode: code, Message: "One of them." } })
      expect((await send("accept+1", "accept+2")).map(({ outcome }) => outcome)).toEqual(["sent", "sent"])
      expect(posts()).toBe(3)
    },
  )

  test("leaves out the messages that may not begin", async () => {
    const stale: Outgoing = {
      ...messageTo("accept+2@example.com"),
      begin: () => Promise.reject(new Error("The message is not to be handed over any more.")),
    }
    const receipts = await built.transport.send([messageTo("accept+1@example.com"), stale], never)
    expect(receipts.map(({ outcome }) => outcome)).toEqual(["sent", "deferred"])
    expect(receipts[1]).toEqual(withheld("The message is not to be handed over any more."))
    expect(postmark.batches).toEqual([1])
  })

  test.each([
    ["is no JSON", "oops"],
    ["is no list", { ErrorCode: 0 }],
    ["is shorter than the batch", [{ ErrorCode: 0, MessageID: "x" }]],
  ])("whose answer %s is unknown", async (_, body) => {
    postmark.next(batchPath, { status: 200, body })
    expect((await send("accept+1", "accept+2")).map(({ outcome }) => outcome)).toEqual(["unknown", "unknown"])
  })

  test("of which one entry cannot be read is unknown for that message alone", async () => {
    postmark.next(batchPath, { status: 200, body: [{ ErrorCode: 0, Message: "OK", MessageID: "x" }, { Message: "?" }] })
    expect((await send("accept+1", "accept+2")).map(({ outcome }) => outcome)).toEqual(["sent", "unknown"])
  })
})

describe("what Postmark refuses", () => {
  test.each([
    [10, "unreachable", /refuses the token/],
    [100, "unreachable", /maintenance/],
    [300, "rejected", /rejects it/],
    [400, "deferred", /does not know the sender/],
    [401, "deferred", /not confirmed/],
    [402, "rejected", /cannot read/],
    [403, "rejected", /cannot read/],
    [405, "unreachable", /may send no more/],
    [406, "rejected", /inactive/],
    [411, "rejected", /attachment of this type/],
    [412, "unreachable", /approval/],
    [413, "unreachable", /may not send/],
    [429, "deferred", /at this rate/],
    [1235, "deferred", /code 1235/],
  ])("is a receipt with a sentence: code %p is %s", async (code, outcome, reason) => {
    const [receipt, other] = await send(`code${code}`, "accept")
    expect([shown(receipt), shown(other)]).toEqual([outcome, "sent"])
    if (receipt?.outcome !== "sent") expect(receipt?.reason).toMatch(reason)
    if (code === 429) expect(receipt).toMatchObject({ retryAt: clock.now() + 60_000 })
  })

  test.each([
    [401, { ErrorCode: 10, Message: "No token." }, "unreachable"],
    [404, undefined, "deferred"],
    [413, undefined, "rejected"],
    [422, { ErrorCode: 412, Message: "Pending." }, "unreachable"],
    [422, { ErrorCode: 300, Message: "Zero recipients." }, "rejected"],
    [
      422,
      { ErrorCode: 300, Message: "Invalid 'From' address: 'a@b.c' is not a verified sender signature." },
      "deferred",
    ],
    [429, undefined, "deferred"],
    [500, { ErrorCode: 0, Message: "Oops." }, "unknown"],
    [502, undefined, "unknown"],
    [503, undefined, "unreachable"],
    [302, undefined, "unknown"],
  ])("as a whole with status %p %p is %s", async (status, body, outcome) => {
    postmark.next(batchPath, { status, body })
    expect((await send("accept")).map((receipt) => String(shown(receipt)))).toEqual([outcome])
    expect(posts()).toBe(1)
  })

  test("never tells the token, whatever the answer repeats", async () => {
    postmark.next(batchPath, { status: 422, body: { ErrorCode: 412, Message: `Token ${postmarkToken} is pending` } })
    expect(JSON.stringify(await send("accept")) + built.logged()).not.toContain(postmarkToken)
  })
})

describe("an outcome that nobody knows", () => {
  test("is a batch that was taken and not answered, which is not posted again", async () => {
    expect((await send("accept+1", "lose")).map(({ outcome }) => outcome)).toEqual(["unknown", "unknown"])
    expect([posts(), postmark.messages.length]).toEqual([1, 2])
  })

  test("is a batch without an answer in time", async () => {
    expect(await send("ignore")).toMatchObject([{ outcome: "unknown", reason: expect.stringContaining("in time") }])
  })

  test("makes the next batch ask first, so that a dead Postmark costs no message", async () => {
    await send("lose")
    await postmark.stop()
    let begun = 0
    const message = { ...messageTo("accept@example.com"), begin: async () => void begun++ }
    expect(await built.send(message)).toMatchObject({ outcome: "deferred", unreachable: true })
    expect(begun).toBe(0)
    await postmark.start()
    expect((await send("accept")).map(shown)).toEqual(["sent"])
  })
})

test("no second batch is handed over to what answers every request with a page, as a proxy may", async () => {
  const page = { status: 200, body: "<title>Welcome</title>" }
  await send("accept")
  postmark.next("/email/batch", page)
  expect(await send("accept")).toMatchObject([{ outcome: "unknown" }])
  postmark.next("/server", page)
  expect(await send("accept")).toMatchObject([{ outcome: "deferred", unreachable: true }])
  expect(posts()).toBe(2)
  expect((await send("accept")).map(shown)).toEqual(["sent"])
})

test("a batch goes without a question before it while Postmark has answered within a minute", async () => {
  const asked = () => postmark.calls.filter(({ path }) => path === "/server").length
  await send("accept")
  await send("accept")
  expect(asked()).toBe(1)
  await clock.advance(60_000)
  await send("accept")
  expect(asked()).toBe(2)
})

test("a wrong token leaves the message to the next transport", async () => {
  const sink = await startSink()
  const wrong = postmark.transportUrl().replace(postmarkToken, "00000000-0000-0000-0000-000000000000")
  const chain = await buildTransport(wrong, `smtp://127.0.0.1:${sink.port}`)
  expect((await chain.send(messageTo("accept@example.com"))).outcome).toBe("sent")
  expect([sink.messages.length, posts()]).toEqual([1, 0])
  await chain.transport.close()
  await sink.stop()
})

test.each([
  ["postmark://short", /postmark:\/\/TOKEN/],
  [`postmark://${postmarkToken}?stream=x`, /there is no option "stream"/],
  [`postmark://${postmarkToken}?bulk=a%20b`, /bulk is the id of a message stream; without it that is broadcast/],
  [`postmark://${postmarkToken}?bulk=`, /bulk is the id of a message stream/],
  [`postmark://${postmarkToken}?pool=99`, /pool is a whole number from 1 to 50/],
  [`postmark://${postmarkToken}?endpoint=http%3A%2F%2Fevil.test`, /endpoint is an https: URL/],
])("a transport URL is refused with one clear line: %s", async (url, expected) => {
  const message = await buildTransport(url).then(String, refusalOf)
  expect(message).toMatch(expected)
  expect(message).not.toContain(postmarkToken)
})

test("a stop waits a moment for the answer to what is handed over: it may be accepted", async () => {
  const answer = Promise.withResolvers<ApiReply>()
  postmark.next(batchPath, answer.promise)
  const receipts = await stopBeforeAnswer(built.transport, {
    isAsked: () => posts() === 1,
    answer: () => answer.resolve({ status: 200, body: [{ ErrorCode: 0, MessageID: "taken" }] }),
  })
  expect(receipts).toEqual([sent("taken")])
})

test("it is asked whether it lets us in without a message", async () => {
  const [member] = built.members
  await member?.verify?.(never)
  await postmark.stop()
  await expect(member?.verify?.(never)).rejects.toThrow(/Postmark cannot be reached/)
  expect(posts()).toBe(0)
})
