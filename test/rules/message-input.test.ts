import { describe, expect, test } from "bun:test"
import { generateKeyPairSync } from "node:crypto"
import { compose } from "../../src/mail/compose.ts"
import { dkimSigner, type SigningKey } from "../../src/mail/dkim.ts"
import { createDraftMaker } from "../../src/mail/draft-maker.ts"
import { createLinks } from "../../src/mail/links.ts"
import type { OwnSource, SharedSource } from "../../src/mail/message-source.ts"
import { createRenderer } from "../../src/mail/render/index.ts"
import { lazyMessage, type MessageInput } from "../../src/mail/transports/lazy-message.ts"
import { createInputReader, textOfOwn, textOfShared } from "../../src/mail/transports/message-input.ts"
import { createSecret } from "../../src/store/secret.ts"

const rsa = generateKeyPairSync("rsa", { modulusLength: 2_048 })
const ed25519 = generateKeyPairSync("ed25519")
const keys: readonly SigningKey[] = [
  { selector: "ms1", algorithm: "rsa", privateKey: rsa.privateKey },
  { selector: "ms2", algorithm: "ed25519", privateKey: ed25519.privateKey },
]
const links = createLinks(() => "https://mail.test", createSecret(Buffer.alloc(32, 1)))

function inputOf(shared: Partial<SharedSource> = {}, own: Partial<OwnSource> = {}, signed = false): MessageInput {
  const source: SharedSource = {
    projectId: "0199c0de-0000-7000-8000-aaaaaaaaaaaa",
    stream: "bulk",
    bulk: true,
    list: { name: "Acme", campaignId: "0199c0de-0000-7000-8000-cccccccccccc" },
    headers: {},
    body: '<p>Hi {{name ?? "you"}}</p> <a href="https://acme.test/a?b=1&amp;c=2">a</a>',
    text: null,
    literal: false,
    footer: null,
    offersUnsubscribe: false,
    isTracked: false,
    ...shared,
  }
  const ofMessage: OwnSource = {
    id: "0199c0de-0000-7000-8000-000000000001",
    envelopeFrom: "bounces@acme.test",
    from: { name: "Acme", address: "news@acme.test" },
    to: { name: "", address: "ada@example.com" },
    replyTo: null,
    subject: "News",
    date: Date.UTC(2026, 0, 31),
    messageId: "1@acme.test",
    contactId: "0199c0de-0000-7000-8000-bbbbbbbbbbbb",
    variables: { name: "Ada" },
    locale: "en",
    ...own,
  }
  const signing = signed ? { signing: { domain: "acme.test", keys } } : {}
  return { shared: { source, ...signing, links: links.keys() }, own: ofMessage, signedAt: Date.UTC(2026, 0, 30) }
}

/** No time passes: how fast this machine is does not matter. */
const standing = { now: () => 0 }

/** As the thread composes it. */
function composeOnThread(input: MessageInput) {
  return createInputReader(standing)(textOfShared(input.shared))(textOfOwn(input))
}

const makeDraft = createDraftMaker({ renderer: createRenderer(), readLarge: () => Promise.reject(new Error("large")) })

/** As it is composed without a thread. */
async function composeHere({ shared, own, signedAt }: MessageInput) {
  const { draft, targets } = await makeDraft({ shared: shared.source, own }, links)
  const { signing } = shared
  return { message: compose(draft, signing && dkimSigner({ ...signing, at: signedAt })), targets }
}

const marketing = { footer: { postalAddress: "1 Main St, Oslo" }, offersUnsubscribe: true, isTracked: true }

const kinds: readonly (readonly [what: string, input: MessageInput])[] = [
  ["plain", inputOf()],
  ["of a value that is missing", inputOf({}, { variables: {} })],
  ["tracked, with a footer", inputOf(marketing)],
  ["in another language", inputOf(marketing, { locale: "de", subject: "Grüße, 你好 🎉" })],
  ["with a link to unsubscribe of its own", inputOf({ ...marketing, body: '<a href="{{unsubscribeUrl}}">off</a>' })],
  ["with a text part", inputOf({ ...marketing, text: "Hi {{name}}: {{manageUrl}}" })],
  ["of literal text", inputOf({ literal: true, body: "<p>{{name}}</p>", text: "{{name}}" })],
  ["with headers", inputOf({ headers: { "X-Tag": "a; b=c", Precedence: "list" } }, { replyTo: "re@acme.test" })],
  ["to an address", inputOf({ ...marketing, list: null }, { contactId: null })],
  ["signed", inputOf(marketing, {}, true)],
]

describe("A message that a thread composes from its input", () => {
  test.each(kinds)("has the same bytes and the same links as without a thread: %s", async (_, input) => {
    const [there, here] = [await composeOnThread(input), await composeHere(input)]
    expect(Buffer.from(await there.message.bytes()).toString()).toBe(Buffer.from(here.message.mime()).toString())
    expect(there.targets).toEqual(here.targets)
  })

  test("is addressed as its input says before it is composed", async () => {
    const input = inputOf({ ...marketing, headers: { "Reply-To": "re@acme.test" } })
    const rest = { compose: async () => undefined, saveLinks: async () => {}, begin: async () => {} }
    const [given, { message }] = [lazyMessage(input, rest), await composeHere(input)]
    for (const name of ["id", "projectId", "stream", "envelope", "from", "to", "subject"] as const)
      expect([name, given[name]]).toEqual([name, message[name]])
    expect(given.messageId).toBe(message.messageId)
    for (const name of ["replyTo", "html", "text", "headers", "attachments"] as const)
      expect(() => given[name]).toThrow("not composed")
    expect(() => given.mime()).toThrow("not composed")
    await expect(given.bytes()).rejects.toThrow("not composed")
  })

  test("has the addresses of its tracked links by their keys", async () => {
    const { targets } = await composeOnThread(inputOf(marketing))
    expect([...targets.values()]).toEqual(["https://acme.test/a?b=1&c=2"])
    expect((await composeOnThread(inputOf())).targets.size).toBe(0)
  })

  test("does without the keys of other links", () => {
    const { keys: given } = links.keys()
    expect(Object.keys(given).sort()).toEqual(
      ["click", "manage", "open", "subscribe", "unsubscribe"].map((kind) => `link.${kind}`),
    )
  })

  test("is not composed by the thread when that takes longer than ordinary, whatever the allowance of its project", async () => {
    let ms = 0
    const read = createInputReader({ now: () => (ms += 1) })
    const rounds = (count: number) => ({ variables: { n: Array.from({ length: count }, (_, n) => n) } })
    const body = `${"{{#each @root.n}}".repeat(2)}{{#if (eq this 5)}}{{/if}}${"{{/each}}".repeat(2)}`
    const made = async (count: number) => {
      const input = inputOf({ body }, rounds(count))
      return read(textOfShared(input.shared))(textOfOwn(input))
    }
    // The clock is looked at once in some thousand steps.
    expect((await made(20)).targets.size).toBe(0)
    await expect(made(150)).rejects.toThrow("too long")
  })

  test("is not composed by the thread when its HTML is large", async () => {
    const large = inputOf(
      { body: "{{#each n}}{{@root.s}}{{/each}}" },
      { variables: { n: [1, 2], s: "x".repeat(70_000) } },
    )
    await expect(composeOnThread(large)).rejects.toThrow("large")
  })

  test("is not tried by the thread after three of its content in a row could not be composed", async () => {
    const ofLength = (length: number) => inputOf({ body: "{{s}}" }, { variables: { s: "x".repeat(length) } })
    const make = createInputReader(standing)(textOfShared(ofLength(1).shared))
    const tried = async (length: number) =>
      make(textOfOwn(ofLength(length))).then(
        () => "made",
        ({ message }) => message,
      )
    const large = "The HTML is large."
    const lengths = [140_000, 140_000, 1, 140_000, 140_000, 140_000, 1]
    const found: string[] = []
    for (const length of lengths) found.push(await tried(length))
    expect(found).toEqual([large, large, "made", large, large, large, expect.stringContaining("cannot be composed")])
  })
})
