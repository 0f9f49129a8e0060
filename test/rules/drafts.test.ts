import { expect, test } from "bun:test"
import { createLinks } from "../../src/mail/links.ts"
import { createRenderer, RenderFault } from "../../src/mail/render/index.ts"
import { createDrafts, type DraftDeps } from "../../src/modules/emails/content/drafts.ts"
import type { Content } from "../../src/modules/emails/table.ts"
import { createSecret } from "../../src/store/secret.ts"
import { draftOf } from "../contracts/messages.ts"

test("The attachments of a message are read when it is rendered, not of one that cannot be (contract A3.6)", async () => {
  const read: string[] = []
  let ms = 0
  const renderer = createRenderer()
  const deps = {
    renderer: { ...renderer, stretch: (projectId: string) => renderer.stretch(projectId, { ms }) },
    links: createLinks(() => "https://mail.test", createSecret(Buffer.alloc(32, 1))),
    files: { read: async (hash: string) => Buffer.from(read.push(hash).toString()) },
    stored: { save: async () => {} },
  }
  const drafts = createDrafts(deps as unknown as DraftDeps)
  const { projectId, stream, bulk, list, headers, html: body, attachments: _, ...own } = draftOf()
  const shared = { projectId, stream, bulk, list, headers, body, text: null, literal: false, footer: null }
  const source = {
    shared: { ...shared, offersUnsubscribe: false, isTracked: false },
    own: { ...own, contactId: null, variables: {}, locale: "en" },
  }
  const file = { filename: "a.txt", contentType: "text/plain", contentId: null, disposition: "attachment", hash: "h" }
  const content = { body, text: null, attachments: [file] } as unknown as Content
  await expect(drafts.draft(source, content)).rejects.toBeInstanceOf(RenderFault)
  expect(read).toEqual([])
  ms = 1_000
  expect((await drafts.draft(source, content)).attachments.map(({ filename }) => filename)).toEqual(["a.txt"])
})
