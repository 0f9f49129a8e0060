import { expect, test } from "bun:test"
import { createLog } from "../../src/kernel/log.ts"
import { createLinks } from "../../src/mail/links.ts"
import { isUnmade } from "../../src/mail/transports/unmade.ts"
import { newEmail } from "../../src/modules/emails/new-email.ts"
import { createPreparer, type PreparerDeps } from "../../src/modules/emails/prepare.ts"
import { createSecret } from "../../src/store/secret.ts"
import { fromCampaign } from "../harness/mails.ts"

const [id, projectId, contactId] = ["1", "a", "b"].map((end) => `0199c0de-0000-7000-8000-${end.repeat(12)}`)
const email = newEmail(
  fromCampaign,
  {
    ...{ id, projectId, contactId, contentHash: "hash", variables: {}, locale: "en", to: "ada@example.com" },
    ...{ from: "hi@acme.test", fromName: "Acme", replyTo: null, subject: "News", type: "MARKETING" as const },
  } as Parameters<typeof newEmail>[1],
  1_800_000_000_000,
)

test("The reason why the links of a message cannot be stored is in the log, not in the record of the message", async () => {
  const lines: string[] = []
  const content = { body: "<p>Hello</p>", text: null, literal: false, headers: {}, attachments: [] }
  const deps = {
    clock: { now: () => email.createdAt },
    random: () => 0,
    log: createLog((_, message, fields) => lines.push(`${message} ${JSON.stringify(fields)}`)),
    links: createLinks(() => "https://mail.test", createSecret(Buffer.alloc(32, 1))),
    drafts: {
      contentOf: async () => content,
      saveLinks: () => Promise.reject(new Error("database or disk is full")),
    },
    sendings: () => async () => ({ envelopeFrom: email.from, signer: undefined }),
    projects: { find: async () => undefined },
  }
  const preparer = createPreparer({ takesUnmade: true }, deps as unknown as PreparerDeps, () => ({
    begin: async () => {},
  }))
  const { message } = await preparer.prepare(email)
  if (message === undefined || !isUnmade(message)) throw new Error("It is not given to the transport unmade.")
  await expect(message.saveLinks(new Map([["key", "https://acme.test"]]))).rejects.toThrow(
    "The message could not be made.",
  )
  expect(lines).toEqual([expect.stringContaining("database or disk is full")])
})
