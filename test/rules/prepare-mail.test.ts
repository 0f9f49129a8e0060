import { describe, expect, test } from "bun:test"
import { generateKeyPairSync } from "node:crypto"
import { nilId } from "../../src/kernel/ids.ts"
import { createLog } from "../../src/kernel/log.ts"
import { dkimSigner } from "../../src/mail/dkim.ts"
import { createLinks } from "../../src/mail/links.ts"
import { createRenderer, RenderFault } from "../../src/mail/render/index.ts"
import type { Outgoing } from "../../src/mail/transport.ts"
import { isLazy, type LazyMessage } from "../../src/mail/transports/lazy-message.ts"
import { createInputReader, textOfOwn, textOfShared } from "../../src/mail/transports/message-input.ts"
import { newEmail } from "../../src/modules/emails/accept/new-email.ts"
import { createDrafts, type DraftDeps, type Drafts } from "../../src/modules/emails/content/drafts.ts"
import { createPreparer, type PreparerDeps } from "../../src/modules/emails/delivery/prepare.ts"
import { apiSource } from "../../src/modules/emails/rules.ts"
import type { Content, Email } from "../../src/modules/emails/table.ts"
import type { Project } from "../../src/modules/projects/index.ts"
import { createSecret } from "../../src/store/secret.ts"
import { fromCampaign, fromWorkflow } from "../harness/mails.ts"

const idOf = (end: string) => `0199c0de-0000-7000-8000-${end.repeat(12)}`
const projectId = idOf("a")
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 })
const links = createLinks(() => "https://mail.test", createSecret(Buffer.alloc(32, 1)))

const usual: Email = newEmail(
  fromCampaign,
  {
    ...{
      id: idOf("1"),
      projectId,
      contactId: idOf("b"),
      contentHash: "usual",
      variables: { name: "Ada" },
      locale: "en",
    },
    ...{ to: "ada@example.com", from: "hi@acme.test", fromName: null, replyTo: null, subject: "News" },
    type: "MARKETING",
  },
  1_800_000_000_000,
)
const fromApi: Partial<Email> = { campaignId: null, sourceType: newEmail(apiSource, usual, 0).sourceType }

const body = '<p>Hi {{name}}</p><a href="https://acme.test/{{name}}">more</a>'
const plain = { subject: "", body, text: null, literal: false, headers: {}, attachments: [], createdAt: 0, usedAt: 0 }
const file = { filename: "a.txt", contentType: "text/plain", contentId: null, disposition: "attachment", hash: "h" }
const contents: Readonly<Record<string, object>> = {
  usual: plain,
  "with headers": { ...plain, headers: { "X-Tag": "a", "Reply-To": "own@acme.test" } },
  literal: { ...plain, literal: true },
  "with a file": { ...plain, attachments: [file] },
  large: { ...plain, literal: true, body: "x".repeat(131_073) },
  "with many tags": { ...plain, body: "{{name}}".repeat(1_001) },
}

interface Settings {
  readonly drafts?: Partial<Drafts>
  readonly fields?: Partial<Project>
}

/** A preparer for a transport that composes bulk mail; what it is given can be changed. */
function start({ drafts, fields }: Settings = {}) {
  const lines: string[] = []
  const project = { name: "Acme", tracking: "MARKETING_ONLY", postalAddress: "1 Main St, Oslo", ...fields }
  const made = createDrafts({
    ...{ links, renderer: createRenderer(), stored: { save: async () => {} } },
    files: { read: async () => Buffer.from("content") },
  } as unknown as DraftDeps)
  const contentOf = async ({ contentHash }: Email) => contents[contentHash ?? ""] as Content
  const signerOf = ({ from, createdAt }: Email) =>
    dkimSigner({
      domain: from.slice(from.indexOf("@") + 1),
      keys: [{ selector: "ms1", algorithm: "rsa", privateKey }],
      at: createdAt,
    })
  const deps = {
    ...{ links, random: () => 0, clock: { now: () => usual.createdAt } },
    log: createLog((_, message, log) => lines.push(`${message} ${JSON.stringify(log)}`)),
    drafts: { ...made, contentOf, ...drafts },
    sendings: () => async (email: Email) => ({ envelopeFrom: `${email.id}@bounce.test`, signer: signerOf(email) }),
    projects: { find: async (id: string) => (id === idOf("d") ? undefined : { ...project, id }) },
  }
  let begun = 0
  const begin = async () => {
    begun++
  }
  const preparer = createPreparer({ takesLazy: true }, deps as unknown as PreparerDeps, () => ({ begin }))
  return { lines, project, preparer, begun: () => begun }
}

async function lazyFrom({ preparer }: Pick<ReturnType<typeof start>, "preparer">, email: Email): Promise<LazyMessage> {
  const { message } = await preparer.prepare(email)
  if (message === undefined || !isLazy(message)) throw new Error("It is not given to the transport as a lazy message.")
  return message
}

const read = createInputReader()
const onThread = ({ input }: LazyMessage) => read(textOfShared(input.shared))(textOfOwn(input))
const bytesOf = async (message: Outgoing | undefined) => Buffer.from((await message?.bytes()) ?? []).toString()

const alike: readonly (readonly [what: string, fields: Partial<Email>])[] = [
  ["the usual one", {}],
  ["for another recipient", { id: idOf("2"), contactId: idOf("c"), variables: { name: "Bob" }, locale: "de" }],
  ["from another domain", { from: "hi@other.test" }],
  ["of another time", { createdAt: usual.createdAt + 86_400_000 }],
  ["of another campaign", { campaignId: idOf("e") }],
  ["of another project", { projectId: idOf("c") }],
  ["of a deleted project", { projectId: idOf("d") }],
  ["that is a test", { ...fromApi, contactId: null }],
  ["by a request", fromApi],
  ["without a footer", { type: "HEADLESS" }],
  ["that is an order", { type: "TRANSACTIONAL", sourceType: "TRANSACTIONAL" }],
  ["with other content", { contentHash: "with headers", replyTo: "re@acme.test" }],
  ["as it was written", { contentHash: "literal" }],
]

describe("Bulk mail for a transport that composes it", () => {
  test("has the same bytes from the thread as when it is composed here, whatever else was claimed with it", async () => {
    const given = start()
    const all = new Set<string>()
    for (const [what, fields] of [...alike, ...alike.toReversed()]) {
      const message = await lazyFrom(given, { ...usual, ...fields })
      const [there, here] = [await onThread(message), await message.compose()]
      expect([what, await bytesOf(there.message)]).toEqual([what, await bytesOf(here)])
      expect([what, there.message.envelope]).toEqual([what, here?.envelope as Outgoing["envelope"]])
      expect([what, message.envelope]).toEqual([what, there.message.envelope])
      all.add(await bytesOf(here))
    }
    expect(all.size).toBe(alike.length)
  })

  test.each([
    ["has files, which are cached here", { contentHash: "with a file" }],
    ["is large", { contentHash: "large" }],
    ["is a template that is read on a thread of its own", { contentHash: "with many tags" }],
    ["is of the service itself", { projectId: nilId }],
    ["is no bulk mail", newEmail(fromWorkflow, { ...usual, type: "HEADLESS" }, usual.createdAt)],
  ] as const)("is composed here when it %s", async (_, fields) => {
    const { message } = await start().preparer.prepare({ ...usual, ...fields })
    expect(message && isLazy(message)).toBe(false)
    expect(await bytesOf(message)).toContain("Subject: News")
  })

  test("is composed here once it was stopped for the allowance of its project, which is what becomes of it", async () => {
    const given = start({ drafts: { draft: () => Promise.reject(new RenderFault("allowance")) } })
    expect(await (await lazyFrom(given, usual)).compose()).toBeUndefined()
    const receipt = { outcome: "deferred", reason: "the message could not be composed" } as const
    expect(given.preparer.receiptOf({ email: usual, receipt })).toMatchObject({ outcome: "postponed" })
    const again = { ...usual }
    expect((await given.preparer.prepare(again)).receipt).toMatchObject({ outcome: "postponed" })
    expect(given.preparer.receiptOf({ email: again, receipt })).toEqual(receipt)
  })

  test("is of the project as it was at the claim, and of its next state after the next claim", async () => {
    const given = start()
    const nameIn = async (message: LazyMessage) =>
      /^List-Id: (\w+)/m.exec(await bytesOf((await onThread(message)).message))?.[1]
    const first = await lazyFrom(given, usual)
    given.project.name = "Renamed"
    expect([await nameIn(first), await nameIn(await lazyFrom(given, usual))]).toEqual(["Acme", "Acme"])
    given.preparer.renew()
    expect([await nameIn(first), await nameIn(await lazyFrom(given, usual))]).toEqual(["Acme", "Renamed"])
  })

  test("asks before it begins also when it is composed here", async () => {
    const given = start()
    await (await (await lazyFrom(given, usual)).compose())?.begin()
    expect(given.begun()).toBe(1)
  })

  test("has the reason why its links cannot be stored in the log, not in its record", async () => {
    const given = start({ drafts: { saveLinks: () => Promise.reject(new Error("database or disk is full")) } })
    const message = await lazyFrom(given, usual)
    await expect(message.saveLinks(new Map([["key", "https://acme.test"]]))).rejects.toThrow(
      "The message could not be composed.",
    )
    expect(given.lines).toEqual([expect.stringContaining("database or disk is full")])
  })
})
