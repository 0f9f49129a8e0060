import { createApp } from "../../../src/app.ts"
import { loadConfig } from "../../../src/config.ts"
import { createRenderer } from "../../../src/mail/render/index.ts"
import { hashed } from "../../../src/modules/emails/accept/accept.ts"
import { apiSource } from "../../../src/modules/emails/index.ts"

const paragraph =
  '<p>An ordinary paragraph of a newsletter, with <b>some</b> markup and a <a href="https://acme.test/a">link</a>.</p>\n'
/** About 10 KB of HTML; two variables make every message different. */
export const tenKilobytes = `<h1>Hello {{name ?? there}}</h1>\n${paragraph.repeat(88)}<p>For {{email}}</p>`

/** Puts bulk messages into the ledger of a data folder, none of them sent yet. The server is not running. */
export async function seedBulkMail(folder: string, projectId: string, count: number): Promise<void> {
  const { config } = loadConfig({ options: { data: folder } })
  const app = await createApp(config)
  const sources = { subject: "News for {{name ?? you}}", body: tenKilobytes }
  const renderer = createRenderer()
  const content = hashed(
    { ...sources, text: null, literal: false, headers: {}, attachments: [] },
    await renderer.compile(projectId, sources),
    [],
    renderer.stretch(projectId, { ms: Number.POSITIVE_INFINITY }),
  )
  for (let done = 0; done < count; done += 500)
    await app.store.write("instance", async (unit) => {
      for (let n = done; n < Math.min(done + 500, count); n++) {
        const change = {
          email: `reader${n}@example.com`,
          subscribed: true,
          subscribedWhenNew: true,
          data: { name: `Reader ${n}` },
        }
        const { contact, visible } = await app.contacts.upsertIn(unit, projectId, change)
        await app.emails.accept(
          unit,
          {
            projectId,
            source: apiSource,
            language: "en",
            contact,
            visible,
            toName: null,
            from: "news@acme.test",
            fromName: "Acme",
            replyTo: null,
            type: "MARKETING",
            templateId: null,
          },
          content,
        )
      }
    })
  await app.stop()
}
