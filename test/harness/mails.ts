import { and, asc, eq, sql } from "drizzle-orm"
import { createRenderer } from "../../src/mail/render/index.ts"
import type { Transport } from "../../src/mail/transport.ts"
import type { Transports } from "../../src/mail/transports.ts"
import { hashed, type Mail } from "../../src/modules/emails/accept/accept.ts"
import { apiSource, type Email, emailTable } from "../../src/modules/emails/index.ts"
import { type Event, eventTable, wholeEvent } from "../../src/modules/events/index.ts"
import type { TestApp } from "./app.ts"

/** The transports of a test app: `transports` of its overrides. */
export const transportsOf = (transactional: Transport, bulk: Transport = transactional): Transports => ({
  transactional,
  bulk,
  members: [],
  close: async () => {},
})

/** Sends transactional mail by the API, one for each address; resolves to the ids. */
export async function send(it: TestApp, ...to: string[]): Promise<string[]> {
  const ids: string[] = []
  for (const address of to) {
    const body = { to: address, from: "hi@acme.test", subject: `To ${address}`, body: "<p>Hello</p>" }
    const answer = await it.api("POST /v1/send", { body })
    if (answer.status !== 200) throw new Error(`Not accepted: ${JSON.stringify(answer.body)}`)
    ids.push(answer.body.data.emails[0].email)
  }
  return ids
}

/** Sources whose records need not exist: the ledger stores their ids and nothing else of them. */
export const fromCampaign = { kind: "campaign", id: "0199c0de-0000-7000-9000-00000000000c" } as const
export const fromWorkflow = { kind: "workflow", id: "0199c0de-0000-7000-9000-00000000000f" } as const
export const marketing = { type: "MARKETING", source: fromCampaign } as const
export const workflowMail = { type: "HEADLESS", source: fromWorkflow } as const

/** Puts mail into the ledger as campaigns and workflows do, one message for each address; resolves to the ids. */
export async function accept(it: TestApp, mail: Partial<Mail>, ...to: string[]): Promise<string[]> {
  const content = { subject: "News", body: "<p>Hello</p>", text: null, literal: false, headers: {}, attachments: [] }
  const projectId = mail.projectId ?? it.project.id
  const renderer = createRenderer()
  const templates = await renderer.compile(projectId, content)
  return it.app.store.write(it.project.id, async (unit) => {
    const ids: string[] = []
    for (const email of to) {
      const known = { email, subscribedWhenNew: true }
      const { contact, visible } = await it.app.contacts.upsertIn(unit, projectId, known)
      const full: Mail = {
        source: apiSource,
        projectId,
        language: "en",
        contact,
        visible,
        toName: null,
        from: "hi@acme.test",
        fromName: "Acme",
        replyTo: null,
        type: "TRANSACTIONAL",
        templateId: null,
        ...mail,
      }
      ids.push(await it.app.emails.accept(unit, full, hashed(content, templates, [], renderer.stretch(projectId))))
    }
    return ids
  })
}

/** A message of the ledger, as it is stored now. */
export async function rowOf(it: TestApp, id = ""): Promise<Email> {
  const [row] = await it.app.store.read.select().from(emailTable).where(eq(emailTable.id, id))
  if (row === undefined) throw new Error(`There is no email ${id}.`)
  return row
}

/** The number of messages with each status. */
export async function countByStatus(it: TestApp): Promise<Partial<Record<Email["status"], number>>> {
  const { status } = emailTable
  const rows = await it.app.store.read.select({ status, count: sql<number>`count(*)` }).from(emailTable).groupBy(status)
  return Object.fromEntries(rows.map((row) => [row.status, row.count]))
}

/** The stored events of a name about a message. */
export const eventsOf = async (it: TestApp, name: string, emailId = ""): Promise<Event[]> =>
  (
    await it.app.store.read
      .select()
      .from(eventTable)
      .where(and(eq(eventTable.name, name), eq(eventTable.emailId, emailId)))
      .orderBy(asc(eventTable.id))
  ).map(wholeEvent)

export const addresses = (count: number, name = "p"): string[] =>
  Array.from({ length: count }, (_, at) => `${name}${at + 1}@example.com`)

/** The recipients of the messages given to a transport, in order. */
export const recipients = (handed: readonly { to: { address: string } }[]): string[] =>
  handed.map(({ to }) => to.address)
