import { and, eq } from "drizzle-orm"
import { campaignTable } from "../../src/modules/campaigns/index.ts"
import { contactTable } from "../../src/modules/contacts/index.ts"
import type { Report } from "../../src/modules/emails/index.ts"
import { type Email, emailTable } from "../../src/modules/emails/index.ts"
import { eventTable } from "../../src/modules/events/index.ts"
import { executionTable } from "../../src/modules/workflows/index.ts"
import type { ApiAnswer } from "./api.ts"
import type { TestApp } from "./app.ts"

export interface Item {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly contactId: string | null
  readonly contactEmail: string | null
  readonly metadata: Record<string, unknown>
}

export const feedOf = async (it: TestApp, query = ""): Promise<Item[]> =>
  (await it.api(`GET /activity${query}`)).body.data

export const typesOf = (items: readonly Item[]): string[] => items.map(({ type }) => type)

/** Every page of the feed, and the total that the first one tells. */
export async function walkFeed(it: TestApp, limit: number, query = ""): Promise<{ items: Item[]; total: number }> {
  const items: Item[] = []
  let total = 0
  for (let cursor: string | undefined; ; ) {
    const { body }: ApiAnswer = await it.api(`GET /activity?limit=${limit}${query}${cursor ? `&cursor=${cursor}` : ""}`)
    items.push(...body.data)
    if (cursor === undefined) total = body.total
    cursor = body.cursor
    if (!body.hasMore) return { items, total }
  }
}

/** Applies a report of a provider. */
export const reported = (it: TestApp, id: string, report: Report): Promise<void> =>
  it.app.store.write(it.project.id, (unit) => it.app.emails.report(unit, id, report))

/** The latest mail to an address. */
export async function mailTo(it: TestApp, address: string): Promise<Email | undefined> {
  const rows = await it.app.store.read
    .select()
    .from(emailTable)
    .where(and(eq(emailTable.projectId, it.project.id), eq(emailTable.to, address)))
  return rows.at(-1)
}

/** Stores a received mail as the receiving server does. */
export async function receive(it: TestApp, from: string, contactId: string | null = null): Promise<string> {
  const id = it.ids.next()
  await it.app.store.write(it.project.id, async (unit) => {
    await unit.db.insert(emailTable).values({
      id,
      projectId: it.project.id,
      contactId,
      locale: "en",
      to: "support@acme.test",
      from,
      subject: "A question",
      type: "TRANSACTIONAL",
      sourceType: "INBOUND",
      status: "RECEIVED",
      messageId: `${id}@example.com`,
      lane: 0,
      dueAt: unit.now,
      createdAt: unit.now,
      updatedAt: unit.now,
    })
  })
  return id
}

interface NaiveItem {
  readonly type: string
  readonly id: string
  readonly at: number
  readonly contactId: string | null
}

const mailTimes = {
  "email.sent": "sentAt",
  "email.delivered": "deliveredAt",
  "email.opened": "openedAt",
  "email.clicked": "clickedAt",
  "email.bounced": "bouncedAt",
  "email.complaint": "complainedAt",
} as const

/** Every record of the project, read whole. */
export async function everything({ app, project }: TestApp) {
  const db = app.store.read
  return {
    mails: await db.select().from(emailTable).where(eq(emailTable.projectId, project.id)),
    events: await db.select().from(eventTable).where(eq(eventTable.projectId, project.id)),
    campaigns: await db.select().from(campaignTable).where(eq(campaignTable.projectId, project.id)),
    executions: await db.select().from(executionTable).where(eq(executionTable.projectId, project.id)),
    contacts: await db.select().from(contactTable).where(eq(contactTable.projectId, project.id)),
  }
}

/** All items that the feed should have, in no order, computed from the records in the plainest way. */
export function naiveFeed({
  mails,
  events,
  campaigns,
  executions,
}: Awaited<ReturnType<typeof everything>>): NaiveItem[] {
  const items: NaiveItem[] = []
  for (const mail of mails) {
    for (const [type, column] of Object.entries(mailTimes)) {
      const at = mail[column]
      if (at !== null) items.push({ type, id: `${mail.id}_${type.slice(6)}`, at, contactId: mail.contactId })
    }
    if (mail.sourceType === "INBOUND")
      items.push({ type: "email.received", id: `${mail.id}_received`, at: mail.createdAt, contactId: mail.contactId })
  }
  for (const { id, name, createdAt: at, contactId } of events) {
    if (name.startsWith("email.")) continue
    const isFlip = name === "contact.subscribed" || name === "contact.unsubscribed"
    items.push({ type: isFlip ? name : "event.triggered", id, at, contactId })
  }
  for (const { id, scheduledAt, sentAt } of campaigns) {
    const contactId = null
    if (scheduledAt !== null)
      items.push({ type: "campaign.scheduled", id: `campaign_${id}_scheduled`, at: scheduledAt, contactId })
    if (sentAt !== null) items.push({ type: "campaign.sent", id: `campaign_${id}_sent`, at: sentAt, contactId })
  }
  for (const { id, startedAt, completedAt, contactId } of executions) {
    items.push({ type: "workflow.started", id: `${id}_started`, at: startedAt, contactId })
    if (completedAt !== null)
      items.push({ type: "workflow.completed", id: `${id}_completed`, at: completedAt, contactId })
  }
  return items
}
