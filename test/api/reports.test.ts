import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { eq } from "drizzle-orm"
import { emailTable } from "../../src/modules/emails/index.ts"
import { eventTable } from "../../src/modules/events/index.ts"
import type { TestApp } from "../harness/app.ts"
import { rowOf, send } from "../harness/mails.ts"
import { storedEvents } from "../harness/scenarios.ts"
import { reportByPostmark, reportBySes, startReportsApp } from "../harness/sns.ts"

let it: TestApp
let next = 0
beforeAll(async () => {
  ;({ it } = await startReportsApp())
})
afterAll(() => it.close())

/** A mail that a provider has taken, under an id of its own. */
async function mailed(): Promise<{ id: string; to: string; providerId: string }> {
  const to = `to${next++}@example.com`
  await it.api("POST /contacts", { body: { email: to } })
  const [id = ""] = await send(it, to)
  await it.settle()
  const providerId = `EXAMPLE7c191be45-${next}`
  await it.app.store.write(it.project.id, (unit) =>
    unit.db.update(emailTable).set({ providerId }).where(eq(emailTable.id, id)),
  )
  await it.advance({ minutes: 1 })
  return { id, to, providerId }
}

/** What there is to see of the reports: status, names of the events, and whether the contact is still subscribed. */
async function effects(id: string) {
  const row = await rowOf(it, id)
  const events = await it.app.store.read
    .select()
    .from(eventTable)
    .where(eq(eventTable.contactId, row.contactId ?? ""))
    .orderBy(eventTable.id)
  const { body } = await it.api(`GET /contacts/${row.contactId}`)
  const since = events.filter(({ name }) => name !== "email.sent" && name !== "contact.subscribed")
  return { status: row.status, events: since.map(({ name }) => name), subscribed: body.subscribed }
}

type Effects = Awaited<ReturnType<typeof effects>>
const nothing: Effects = { status: "SENT", events: [], subscribed: true }
const delivered: Effects = { status: "DELIVERED", events: ["email.delivery"], subscribed: true }
const bounced: Effects = { status: "BOUNCED", events: ["email.bounce", "contact.unsubscribed"], subscribed: false }
const deferred: Effects = { status: "SENT", events: ["email.bounce"], subscribed: true }
const complained: Effects = {
  status: "COMPLAINED",
  events: ["email.complaint", "contact.unsubscribed"],
  subscribed: false,
}
const opened: Effects = { status: "OPENED", events: ["email.open"], subscribed: true }
const clicked: Effects = { status: "CLICKED", events: ["email.click"], subscribed: true }
const left: Effects = { status: "SENT", events: ["contact.unsubscribed"], subscribed: false }

const bounce = (bounceType: string, bounceSubType = "General") => ({
  bounce: {
    bounceType,
    bounceSubType,
    bouncedRecipients: [
      {
        emailAddress: "recipient@example.com",
        action: "failed",
        status: "5.1.1",
        diagnosticCode: "smtp; 550 5.1.1 user unknown",
      },
    ],
    timestamp: "2017-08-05T00:41:02.669Z",
    reportingMTA: "dsn; mta.example.com",
  },
})
const subscription = (unsubscribeAll: boolean, ...statuses: string[]) => ({
  subscription: {
    contactList: "ContactListName",
    timestamp: "2017-08-05T00:41:02.669Z",
    source: "UnsubscribeHeader",
    newTopicPreferences: {
      unsubscribeAll,
      topicSubscriptionStatus: statuses.map((subscriptionStatus) => ({ topicName: "News", subscriptionStatus })),
    },
    oldTopicPreferences: { unsubscribeAll: false, topicSubscriptionStatus: [] },
  },
})

test("a report names a mail by its Message-ID, whatever has sent it (contract B9.1.4)", async () => {
  for (const report of [
    (MessageID: string) => reportByPostmark(it, { RecordType: "Delivery", MessageID }),
    (messageId: string) => reportBySes(it, { messageId }, { eventType: "Delivery", delivery: {} }),
  ]) {
    const { id } = await mailed()
    const { messageId } = await rowOf(it, id)
    expect((await report(`${messageId}.other`)).status).toBe(404)
    expect([(await report(messageId)).status, (await effects(id)).status]).toEqual([200, "DELIVERED"])
  }
})

/**
 * Every kind in the shape of the documentation: "Examples of event data that Amazon SES publishes to Amazon SNS" (SES
 * Developer Guide, event-publishing-retrieving-sns-examples) and "Amazon SNS notification examples for Amazon SES"
 * (notification-examples), where the name of the kind stands in another field.
 */
describe("SES reports (contract B9.2)", () => {
  const cases: readonly [string, object, Effects][] = [
    ["Send", { send: {} }, nothing],
    [
      "Delivery",
      {
        delivery: {
          timestamp: "2016-10-19T23:21:04.133Z",
          processingTimeMillis: 11893,
          recipients: ["recipient@example.com"],
          smtpResponse: "250 2.6.0 Message received",
          reportingMTA: "mta.example.com",
        },
      },
      delivered,
    ],
    ["Bounce", bounce("Permanent"), bounced],
    ["Bounce", bounce("Permanent", "NoEmail"), bounced],
    ["Bounce", bounce("Permanent", "Suppressed"), bounced],
    ["Bounce", bounce("Permanent", "OnAccountSuppressionList"), bounced],
    ["Bounce", bounce("Transient", "MailboxFull"), deferred],
    ["Bounce", bounce("Transient", "MessageTooLarge"), deferred],
    ["Bounce", bounce("Undetermined", "Undetermined"), deferred],
    [
      "Complaint",
      {
        complaint: {
          complainedRecipients: [{ emailAddress: "recipient@example.com" }],
          timestamp: "2017-08-05T00:41:02.669Z",
          userAgent: "Amazon SES Mailbox Simulator",
          complaintFeedbackType: "abuse",
          arrivalDate: "2017-08-05T00:41:02.669Z",
        },
      },
      complained,
    ],
    ["Complaint", { complaint: { complaintFeedbackType: null } }, complained],
    ["Complaint", { complaint: { complaintFeedbackType: "not-spam" } }, nothing],
    ["Complaint", { complaint: { complaintSubType: "OnAccountSuppressionList" } }, bounced],
    ["Reject", { reject: { reason: "Bad content" } }, nothing],
    [
      "Open",
      { open: { ipAddress: "192.0.2.1", timestamp: "2017-08-09T22:00:19.652Z", userAgent: "Mozilla/5.0" } },
      opened,
    ],
    [
      "Click",
      {
        click: {
          ipAddress: "192.0.2.1",
          link: "http://docs.aws.amazon.com/ses/latest/DeveloperGuide/send-email-smtp.html",
          linkTags: { samplekey0: ["samplevalue0"] },
          timestamp: "2017-08-09T23:51:25.570Z",
          userAgent: "Mozilla/5.0",
        },
      },
      clicked,
    ],
    ["Rendering Failure", { failure: { errorMessage: "Attribute 'name' is missing", templateName: "T" } }, nothing],
    [
      "DeliveryDelay",
      {
        deliveryDelay: {
          timestamp: "2020-06-16T00:25:40.095Z",
          delayType: "TransientCommunicationFailure",
          expirationTime: "2020-06-16T00:25:40.914Z",
          delayedRecipients: [{ emailAddress: "recipient@example.com", status: "4.4.1", diagnosticCode: "smtp; 421" }],
        },
      },
      nothing,
    ],
    ["Subscription", subscription(true), left],
    ["Subscription", subscription(false, "OptIn", "OptOut"), left],
    ["Subscription", subscription(false, "OptIn"), nothing],
    ["SomethingNew", {}, nothing],
  ]

  describe.each(["eventType", "notificationType"])("with %s", (field) => {
    test.each(cases)("%s %j", async (kind, event, expected) => {
      const { id, providerId, to } = await mailed()
      const mail = {
        timestamp: "2017-08-05T00:40:02.012Z",
        source: "Sender Name <sender@example.com>",
        sendingAccountId: "123456789012",
        messageId: providerId,
        destination: [to],
        headersTruncated: false,
        headers: [{ name: "From", value: "Sender Name <sender@example.com>" }],
        commonHeaders: { from: ["Sender Name <sender@example.com>"], to: [to], messageId: providerId },
        tags: { "ses:configuration-set": ["ConfigSet"], "ses:source-ip": ["192.0.2.0"] },
      }
      expect(await reportBySes(it, mail, { [field]: kind, ...event })).toMatchObject({
        status: 200,
        body: { success: true },
      })
      expect(await effects(id)).toEqual(expected)
    })
  })

  test("tell of a click where it led", async () => {
    const { id, providerId } = await mailed()
    await reportBySes(it, { messageId: providerId }, { eventType: "Click", click: { link: "https://a.test/b" } })
    const [, event] = await storedEvents(it, eq(eventTable.emailId, id))
    expect(event).toMatchObject({ name: "email.click", data: { link: "https://a.test/b", clicks: 1 } })
  })

  test("of mail that came in are no reports on mail of ours", async () => {
    expect(await reportBySes(it, { messageId: "inbound" }, { notificationType: "Received" })).toMatchObject({
      status: 200,
      body: { success: true },
    })
  })
})

/** In the shape of the documentation: https://postmarkapp.com/developer/webhooks, one page for each kind. */
describe("Postmark reports (contract B9.2)", () => {
  const bounceOf = (Type: string) => ({
    ID: 4323372036854776000,
    Type,
    TypeCode: 1,
    Name: "Hard bounce",
    ServerID: 23,
    MessageStream: "outbound",
    Description: "The server was unable to deliver your message (ex: unknown user, mailbox not found).",
    Details: "Test bounce details",
    Email: "john@example.com",
    From: "sender@example.com",
    BouncedAt: "2019-11-05T16:33:54.9070259Z",
    DumpAvailable: true,
    Inactive: true,
    CanActivate: true,
    Subject: "Test subject",
    Content: "<Full dump of bounce>",
  })
  const change = (SuppressSending: boolean, SuppressionReason: string | null, Origin: string) => ({
    ServerID: 123456,
    MessageStream: "outbound",
    ChangedAt: "2020-02-01T10:53:34.416071Z",
    Recipient: "address@example.com",
    Origin,
    SuppressSending,
    SuppressionReason,
  })
  test.each<[string, object, Effects]>([
    [
      "Delivery",
      {
        ServerID: 23,
        Recipient: "john@example.com",
        Tag: "Test",
        DeliveredAt: "2019-11-05T16:33:54.9070259Z",
        Details: "Test delivery webhook details",
      },
      delivered,
    ],
    ["Bounce", bounceOf("HardBounce"), bounced],
    ["Bounce", bounceOf("BadEmailAddress"), bounced],
    ["Bounce", bounceOf("ManuallyDeactivated"), bounced],
    ["Bounce", bounceOf("Unknown"), bounced],
    ["Bounce", bounceOf("SoftBounce"), deferred],
    ["Bounce", bounceOf("Transient"), deferred],
    ["Bounce", bounceOf("DnsError"), deferred],
    ["Bounce", bounceOf("Blocked"), deferred],
    ["Bounce", bounceOf("AutoResponder"), deferred],
    ["SpamComplaint", { ...bounceOf("SpamComplaint"), TypeCode: 512, Name: "Spam complaint" }, complained],
    [
      "Open",
      {
        FirstOpen: true,
        Client: { Name: "Chrome 35.0.1916.153", Company: "Google", Family: "Chrome" },
        Platform: "WebMail",
        UserAgent: "Mozilla/5.0",
        ReceivedAt: "2019-11-05T16:33:54.9070259Z",
        Recipient: "john@example.com",
      },
      opened,
    ],
    [
      "Click",
      {
        ClickLocation: "HTML",
        OriginalLink: "https://example.com",
        Recipient: "john@example.com",
        ReceivedAt: "2017-10-25T15:21:11.9065619Z",
      },
      clicked,
    ],
    ["SubscriptionChange", change(true, "ManualSuppression", "Recipient"), left],
    ["SubscriptionChange", change(true, "ManualSuppression", "Admin"), nothing],
    ["SubscriptionChange", change(true, "HardBounce", "Recipient"), nothing],
    ["SubscriptionChange", change(false, null, "Recipient"), nothing],
    ["SomethingNew", {}, nothing],
  ])("%s %j", async (RecordType, record, expected) => {
    const { id, providerId } = await mailed()
    const answer = await reportByPostmark(it, { RecordType, MessageID: providerId, ...record })
    expect(answer).toMatchObject({ status: 200, body: { success: true } })
    expect(await effects(id)).toEqual(expected)
  })

  test("of mail that came in are no reports on mail of ours", async () => {
    const answer = await reportByPostmark(it, { RecordType: "Inbound", MessageID: "inbound", From: "a@example.com" })
    expect(answer).toMatchObject({ status: 200, body: { success: true } })
  })
})
