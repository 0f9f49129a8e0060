import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { eq } from "drizzle-orm"
import type { BulkMessage } from "../../src/modules/emails/index.ts"
import { contentTable, emailTable } from "../../src/modules/emails/table.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { news } from "../harness/campaigns.ts"
import { seedContacts } from "../harness/contacts.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
  await seedContacts(it, 50, (at) => ({
    data: { first: `A${at}`, city: "Oslo", plan: "pro", ...(at === 1 ? { locale: "de_AT" } : {}) },
  }))
})
afterAll(() => it.close())

/** Puts a bulk message to the first contacts into the ledger; resolves to how many were done, and their mails. */
async function enqueue(count: number, ms: number, fields: Partial<BulkMessage> = {}) {
  const campaignId = it.ids.next()
  const { name: _, audienceType: __, ...content } = news
  const bulk = await it.app.emails.prepareBulk({
    ...content,
    projectId: it.project.id,
    source: { kind: "campaign", id: campaignId },
    language: "fr",
    fromName: "Acme",
    replyTo: null,
    text: null,
    type: "MARKETING",
    ...fields,
  })
  const found = await it.app.segments.audiences.next(
    it.project.id,
    { kind: "ALL", subscribedOnly: true },
    0,
    Number.MAX_SAFE_INTEGER,
    count,
  )
  const done = await it.app.store.write(it.project.id, (unit) =>
    it.app.emails.enqueue(unit, bulk, found.recipients, ms),
  )
  const mails = await it.app.store.read
    .select()
    .from(emailTable)
    .where(eq(emailTable.campaignId, campaignId))
    .orderBy(emailTable.id)
  return { done, mails }
}

describe("enqueuing", () => {
  test("ends when its time is used up, after the first mail at the earliest", async () => {
    const { done, mails } = await enqueue(50, 0)
    expect([done, mails.length]).toEqual([1, 1])
  })

  test("without recipients does nothing", async () => {
    expect(await enqueue(0, 0)).toEqual({ done: 0, mails: [] })
  })

  test("stores content once, and for each contact the variables that it uses", async () => {
    const { done, mails } = await enqueue(20, 60_000)
    expect([done, mails.length, new Set(mails.map(({ contentHash }) => contentHash)).size]).toEqual([20, 20, 1])
    expect(await it.app.store.read.$count(contentTable)).toBe(1)
    expect(mails[3]).toMatchObject({
      variables: { first: "A3" },
      subject: "Hi A3",
      status: "PENDING",
      sourceType: "CAMPAIGN",
      lane: 2,
      messageId: `${mails[3]?.id}@acme.test`,
      toName: null,
    })
    expect(mails.slice(0, 3).map(({ locale }) => locale)).toEqual(["fr", "de", "fr"])
  })

  test("does not render a body, which may fail at the hand-over", async () => {
    const { mails } = await enqueue(2, 60_000, { body: "{{#each data}}{{this}}{{/each}}" })
    expect(mails.map(({ status }) => status)).toEqual(["PENDING", "PENDING"])
    expect(mails[0]?.variables).toEqual({ first: "A0", data: { first: "A0", city: "Oslo", plan: "pro" } })
  })

  test("renders the recipient's links in a subject, and stores none", async () => {
    const { mails } = await enqueue(2, 60_000, { subject: "{{unsubscribeUrl}}" })
    expect(mails[0]?.subject).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/unsubscribe\/[\w-]+$/)
    expect(mails[0]?.subject).not.toBe(mails[1]?.subject ?? "")
    expect(mails[0]?.variables).toEqual({ first: "A0" })
  })

  test("of an invalid template makes failed mails with the reason", async () => {
    const { done, mails } = await enqueue(3, 60_000, { subject: "Hi {{name", body: "b" })
    expect(done).toBe(3)
    expect(mails.map(({ status, attempt }) => [status, attempt])).toEqual(Array(3).fill(["FAILED", 0]))
    expect(mails[0]?.error).toBeString()
    expect(mails[0]?.subject).toBe("Hi {{name")
  })
})
