import { describe, expect, test } from "bun:test"
import { generateKeyPairSync, type KeyObject } from "node:crypto"
import { dkimVerify } from "mailauth/lib/dkim/verify"
import { compose, type Draft } from "../../src/mail/compose.ts"
import { dkimSigner } from "../../src/mail/dkim.ts"
import { draftOf as draft } from "../contracts/messages.ts"

const rsa = generateKeyPairSync("rsa", { modulusLength: 2_048 })
const ed25519 = generateKeyPairSync("ed25519")
const spki = (key: KeyObject) => key.export({ type: "spki", format: "der" })
const zone: Record<string, string> = {
  "ms1._domainkey.acme.test": `v=DKIM1; k=rsa; p=${spki(rsa.publicKey).toString("base64")}`,
  "ms2._domainkey.acme.test": `v=DKIM1; k=ed25519; p=${spki(ed25519.publicKey).subarray(-32).toString("base64")}`,
}
const keys = [
  { selector: "ms1", algorithm: "rsa", privateKey: rsa.privateKey },
  { selector: "ms2", algorithm: "ed25519", privateKey: ed25519.privateKey },
] as const
const at = Date.UTC(2026, 0, 31)
const signer = dkimSigner({ domain: "acme.test", keys, at })

const resolver = async (name: string): Promise<string[][]> => {
  const record = zone[name]
  if (record === undefined) throw Object.assign(new Error("not found"), { code: "ENOTFOUND" })
  return [[record]]
}

/** The verdict of an independent program on each signature. */
async function verdicts(mime: Uint8Array): Promise<string[]> {
  const { results } = await dkimVerify(Buffer.from(mime), { resolver, minBitLength: 1024, curTime: new Date(at) })
  return results.map(({ selector, status }) => `${selector} ${status.result}`)
}

const signedMime = (changes: Partial<Draft> = {}): Uint8Array =>
  compose(draft({ from: { name: "Acme", address: "hi@acme.test" }, ...changes }), signer).mime()

describe("A DKIM signature (RFC 6376, RFC 8463)", () => {
  const bodies: [what: string, changes: Partial<Draft>][] = [
    ["plain", {}],
    [
      "other languages",
      { subject: "Grüße, 你好 🎉", html: "<p>Grüße, 你好 🎉</p>", from: { name: "Ünal", address: "hi@acme.test" } },
    ],
    ["an empty body", { html: "", text: "" }],
    ["blank lines and spaces at the end", { html: "<p>a</p>", text: "a  b \t \n\n\n  \n\n" }],
    ["lines of a thousand characters", { html: `<p>${"x ".repeat(5_000)}</p>` }],
    [
      "a list",
      { bulk: true, list: { name: 'Acme, "Inc."', campaignId: "c1" }, listUnsubscribeUrl: "https://a.test/u/1" },
    ],
    ["a long subject", { subject: "word ".repeat(150).trim() }],
    ["reply-to and own headers", { replyTo: "re@acme.test", headers: { "X-A": "1", "Feedback-ID": "mine:1" } }],
    [
      "an attachment",
      {
        attachments: [
          {
            filename: "naïve.bin",
            contentType: "application/octet-stream",
            content: new Uint8Array(5_000).fill(7),
            contentId: null,
            disposition: "attachment",
          },
        ],
      },
    ],
  ]
  test.each(bodies)("of %s is valid according to mailauth, with both keys", async (_, changes) => {
    expect(await verdicts(signedMime(changes))).toEqual(["ms1 pass", "ms2 pass"])
  })

  test("is the same for every attempt", () => {
    const one = draft()
    const [first, second] = [compose(one, signer), compose(one, signer)].map((message) => Buffer.from(message.mime()))
    expect(first?.equals(second ?? Buffer.alloc(0))).toBe(true)
  })

  test("is the same when it is made on another thread, once", async () => {
    const one = draft()
    const [here, aside] = [compose(one, signer), compose(one, signer)]
    const [first, second] = await Promise.all([aside.bytes(), aside.bytes()])
    expect(Buffer.from(first).equals(Buffer.from(here.mime()))).toBe(true)
    expect(second).toEqual(first)
    expect(aside.mime()).toBe(await aside.bytes())
  })

  test("becomes invalid when the body or a signed header changes, or one is added", async () => {
    const mime = Buffer.from(signedMime()).toString("latin1")
    const bad = ["ms1 fail", "ms2 fail"]
    const altered = async (text: string) =>
      (await verdicts(Buffer.from(text, "latin1"))).map((one) => one.replace("neutral", "fail"))
    expect(await altered(`${mime.trimEnd()}x\r\n`)).toEqual(bad)
    expect(await altered(mime.replace(/\r\nSubject: [^\r]*/, "\r\nSubject: other"))).toEqual(bad)
    expect(await altered(mime.replace("\r\nSubject:", "\r\nSubject: first\r\nSubject:"))).toEqual(bad)
  })

  test("survives a relay that folds headers and trims lines", async () => {
    const mime = Buffer.from(signedMime({ text: "a  b" })).toString("latin1")
    const relayed = mime.replace(/\r\nSubject: (\S+) /, "\r\nSubject:\r\n\t$1  ")
    expect(await verdicts(Buffer.from(relayed, "latin1"))).toEqual(["ms1 pass", "ms2 pass"])
  })

  test("covers the present headers, and From and Subject once more", () => {
    const text = Buffer.from(signedMime({ bulk: true, list: { name: "Acme", campaignId: null } })).toString("latin1")
    const [, list = ""] = /h=([^;]*);/.exec(text.replaceAll(/\r\n\s+/g, "")) ?? []
    expect(list.split(":")).toEqual(
      "from to subject date message-id mime-version content-type list-id feedback-id from subject".split(" "),
    )
    for (const line of text.slice(0, text.indexOf("\r\n\r\n")).split("\r\n")) expect(line.length).toBeLessThan(120)
  })
})
