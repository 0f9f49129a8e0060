import { afterAll, beforeAll, expect, test } from "bun:test"
import type { Outgoing } from "../../src/mail/transport.ts"
import type { EmailStatus } from "../../src/modules/emails/index.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { countBuiltQueries } from "../harness/built-queries.ts"
import { type IncomingApp, shop, startIncomingApp } from "../harness/incoming.ts"
import { rowOf } from "../harness/mails.ts"
import { connectSmtp } from "../harness/smtp-client.ts"
import { reportByPostmark } from "../harness/sns.ts"
import { visit } from "../harness/tracking.ts"
import { createWorkflow, inRow, steps } from "../harness/workflows.ts"

/** How often each path is taken: at once, so that what is done for a whole batch counts once. */
const times = 20
const numbers = Array.from({ length: times }, (_, n) => n)

let app: IncomingApp
let sandbox: TestApp
let sandboxPort: number
let round = 0
beforeAll(async () => {
  app = await startIncomingApp({
    settings: {
      "smtp.submission_port": "587",
      "postmark.webhook_user": "postmark",
      "postmark.webhook_password": "secret: with colon",
    },
  })
  await createWorkflow(app.it, "bought", inRow(steps.update({ updates: { paid: true } }), steps.mail(), steps.exit()))
  sandbox = await startTestApp({ mode: "sandbox", settings: { "smtp.submission_port": "0" } })
  sandboxPort = (await sandbox.app.start()).smtp.submission ?? 0
})
afterAll(async () => {
  await sandbox.close()
  await app[Symbol.asyncDispose]()
})

const text = "From: App <app@shop.test>\r\nTo: ada@example.com\r\nSubject: Order\r\n\r\nThank you.\r\n"

/** A message by SMTP, after a login with the password if there is one. */
async function sendBySmtp(port: number, to: string, password?: string): Promise<void> {
  const client = await connectSmtp(port)
  await client.reply()
  if (password !== undefined) {
    await client.say("EHLO client.test")
    await client.say(`AUTH PLAIN ${Buffer.from(`\0app\0${password}`).toString("base64")}`)
  }
  await client.envelope("app@shop.test", to)
  expect((await client.data(text)).code).toBe(250)
  client.drop()
}

const addressOf = (n: number) => `r${round}.${n}@example.com`
const ok = async (answer: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await answer
  expect([status, body]).toEqual([status < 300 ? status : 200, body])
}

/** Sends mail with a link, and resolves to the messages that left. */
async function mailed(): Promise<Outgoing[]> {
  const before = app.it.sent().length
  for (const n of numbers)
    await ok(
      app.it.api("POST /v1/send", {
        body: {
          to: addressOf(n),
          from: `news@${shop}`,
          subject: `Order ${n}`,
          body: `<p>${addressOf(n)}</p><a href="https://acme.test/">A</a>`,
          subscribed: true,
        },
      }),
    )
  await app.it.settle()
  const messages = app.it.sent().slice(before)
  expect(messages).toHaveLength(times)
  return messages
}

interface Path {
  /** Sends the mail that it is about. */
  readonly ofMail?: true
  readonly take: (messages: readonly Outgoing[]) => Promise<unknown>
  /** The status of that mail afterwards. */
  readonly leadsTo?: EmailStatus
}

const paths: Record<string, Path> = {
  "mail to the sandbox by SMTP": {
    take: async () => {
      for (const n of numbers) await sendBySmtp(sandboxPort, addressOf(n))
      await sandbox.settle()
    },
  },
  "mail submitted by SMTP": {
    take: async () => {
      for (const n of numbers) await sendBySmtp(app.ports.submission ?? 0, addressOf(n), app.it.project.secret)
    },
  },
  "mail that comes in": {
    take: async () => {
      for (const _ of numbers) await sendBySmtp(app.port, `support@${shop}`)
    },
  },
  "mail by the API, and its delivery": { take: mailed },
  "opens and clicks": {
    ofMail: true,
    take: async (messages) => {
      for (const { html } of messages)
        for (const [, path] of html.matchAll(/"http:[/][/][^/"]+([/]t[/][oc][/][^"]+)"/g))
          await visit(app.it, `GET ${path}`)
    },
    leadsTo: "CLICKED",
  },
  "reports of a provider": {
    ofMail: true,
    take: async (messages) => {
      for (const { messageId } of messages)
        await ok(reportByPostmark(app.it, { RecordType: "Delivery", MessageID: messageId }))
    },
    leadsTo: "DELIVERED",
  },
  "events of contacts": {
    take: async () => {
      for (const n of numbers)
        await ok(app.it.api("POST /v1/track", { body: { email: addressOf(n), event: "seen", data: { plan: "pro" } } }))
    },
  },
  "events that start a workflow": {
    take: async () => {
      for (const n of numbers)
        await ok(app.it.api("POST /v1/track", { body: { email: addressOf(n), event: "bought" } }))
    },
  },
  "contacts that are stored and read": {
    take: async () => {
      for (const n of numbers) {
        const { body } = await app.it.api("POST /contacts", { body: { email: `c${addressOf(n)}`, data: { n } } })
        await ok(app.it.api(`PATCH /contacts/${body.id}`, { body: { data: { n: n + 1 } } }))
        await ok(app.it.api(`GET /contacts/${body.id}`))
      }
    },
  },
  "mails that are read": {
    ofMail: true,
    take: async (messages) => {
      for (const { id } of messages) {
        await ok(app.it.api(`GET /emails/${id}`))
        await ok(app.it.api("GET /emails?limit=10"))
      }
    },
  },
}

test.each(Object.keys(paths))("no query is built each time: %s", async (name) => {
  const { ofMail, take, leadsTo } = paths[name] as Path
  for (const isWarm of [false, true]) {
    round++
    const messages = ofMail ? await mailed() : []
    // Who opens a mail as soon as it is there counts as a scanner.
    if (ofMail) await app.it.advance({ minutes: 1 })
    const built = await countBuiltQueries(async () => {
      await take(messages)
      await app.it.settle()
    })
    if (isWarm) expect([...built].filter(([, count]) => count >= times)).toEqual([])
    if (leadsTo) for (const { id } of messages) expect((await rowOf(app.it, id)).status).toBe(leadsTo)
  }
})
