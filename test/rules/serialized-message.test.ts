import { describe, expect, test } from "bun:test"
import { generateKeyPairSync } from "node:crypto"
import { compose, type Draft } from "../../src/mail/compose.ts"
import { dkimSigner } from "../../src/mail/dkim.ts"
import type { Outgoing } from "../../src/mail/transport.ts"
import { deserialize, serialize } from "../../src/mail/transports/serialized-message.ts"
import { draftOf, richDraft } from "../contracts/messages.ts"

const rsa = generateKeyPairSync("rsa", { modulusLength: 2_048 })
const ed25519 = generateKeyPairSync("ed25519")
const signer = dkimSigner({
  domain: "shop.test",
  keys: [
    { selector: "ms1", algorithm: "rsa", privateKey: rsa.privateKey },
    { selector: "ms2", algorithm: "ed25519", privateKey: ed25519.privateKey },
  ],
  at: Date.UTC(2026, 0, 31),
})

/** As the other thread gets it. */
const onThread = async (message: Outgoing): Promise<Outgoing> => deserialize(structuredClone(await serialize(message)))

const drafts: readonly (readonly [what: string, draft: Draft])[] = [
  ["plain", draftOf()],
  ["in other languages", draftOf({ subject: "Grüße, 你好 🎉", html: "<p>Grüße, 你好 🎉</p>", text: "\ud800 half" })],
  ["with attachments and headers", richDraft("ada@example.com")],
  ["of a list", draftOf({ bulk: true, stream: "bulk", list: { name: "Acme", campaignId: "c1" } })],
  ["with an address for replies", draftOf({ replyTo: "re@shop.test", headers: { "X-A": "1" } })],
]

describe("A message on another thread", () => {
  test.each(drafts)("has the same bytes, unsigned and signed: %s", async (_, draft) => {
    expect(Buffer.from((await onThread(compose(draft))).mime())).toEqual(Buffer.from(compose(draft).mime()))
    const signed = await onThread(compose(draft, signer))
    expect(Buffer.from(await signed.bytes())).toEqual(Buffer.from(compose(draft, signer).mime()))
  })

  test.each(drafts)("has the same fields: %s", async (_, draft) => {
    const { mime: _mime, bytes: _bytes, begin: _begin, signer: _signer, ...fields } = compose(draft)
    const made: Partial<Record<string, unknown>> = { ...(await onThread(compose(draft))) }
    for (const [name, value] of Object.entries(fields)) expect([name, made[name]]).toEqual([name, value])
  })

  test("without attachments has values of simple types only, which are handed over without a copy", async () => {
    const values = Object.values(await serialize(compose(draftOf(), signer)))
    expect(values.filter((value) => typeof value !== "string")).toEqual([])
  })

  test("has its attachments in memory that is shared, and all messages with the same ones share it", async () => {
    const { attachments } = richDraft("ada@example.com")
    const contentsOf = async (to: string) => {
      const { attachments: shared = [] } = await serialize(compose({ ...richDraft(to), attachments }))
      return shared.map(({ content }) => content)
    }
    const contents = await contentsOf("ada@example.com")
    expect(contents.map(({ buffer }) => buffer instanceof SharedArrayBuffer)).toEqual(attachments.map(() => true))
    const others = await contentsOf("bob@example.com")
    expect(others.map((content, at) => content === contents[at])).toEqual(attachments.map(() => true))
  })

  test("that another program has made keeps its bytes", async () => {
    const { signer: _, ...message } = compose(draftOf())
    const mime = Buffer.from("Subject: mine\r\n\r\nbody\r\n")
    const made = await onThread({ ...message, mime: () => mime, bytes: async () => mime })
    expect(Buffer.from(await made.bytes())).toEqual(mime)
    expect(made.envelope).toEqual(message.envelope)
  })
})
