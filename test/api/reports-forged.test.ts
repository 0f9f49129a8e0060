import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { eq } from "drizzle-orm"
import { emailTable } from "../../src/modules/emails/index.ts"
import { eventTable } from "../../src/modules/events/index.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { rowOf, send } from "../harness/mails.ts"
import { storedEvents } from "../harness/scenarios.ts"
import {
  type Amazon,
  basic,
  certificates,
  confirmation,
  confirmUrl,
  postSns,
  reportByPostmark,
  reportBySes,
  snsMessage,
  startReportsApp,
  topic,
} from "../harness/sns.ts"
import { snsKeys } from "../harness/sns-keys.ts"

let it: TestApp
let amazon: Amazon
let id: string
async function start(): Promise<void> {
  ;({ it, amazon } = await startReportsApp())
  ;[id = ""] = await send(it, "to@example.com")
  await it.settle()
  await it.app.store.write(it.project.id, (unit) =>
    unit.db.update(emailTable).set({ providerId: "theirs" }).where(eq(emailTable.id, id)),
  )
}
const close = () => it.close()
function startForEach(): void {
  beforeEach(start)
  afterEach(close)
}

const bounce = { eventType: "Bounce", bounce: { bounceType: "Permanent" }, mail: { messageId: "theirs" } }
const Message = JSON.stringify(bounce)
const forbidden = { status: 403, body: { error: { code: "FORBIDDEN" } } }
const happened = (name: string) => storedEvents(it, eq(eventTable.name, name))

describe("A message of SNS counts (contract B9.1.1)", () => {
  startForEach()

  test.each(["1", "2"])("with a signature of version %s", async (SignatureVersion) => {
    expect((await postSns(it, snsMessage(it, { Message, SignatureVersion }))).status).toBe(200)
    expect((await rowOf(it, id)).status).toBe("BOUNCED")
  })

  test("with a subject, which is signed too", async () => {
    const message = snsMessage(it, { Message, Subject: "Amazon SES Email Event Notification" })
    expect(await postSns(it, { ...message, Subject: "Another" })).toMatchObject(forbidden)
    expect((await postSns(it, message)).status).toBe(200)
  })

  test("whatever its content type, and with one request for the certificate", async () => {
    for (const type of ["text/plain", "application/json", "application/x-anything"]) {
      const raw = JSON.stringify(snsMessage(it, { Message }))
      const answer = await it.api("POST /webhooks/sns", { key: "none", raw, headers: { "Content-Type": type } })
      expect(answer.status).toBe(200)
    }
    expect(amazon.asked).toEqual([certificates.good])
    await it.advance({ hours: 25 })
    await postSns(it, snsMessage(it, { Message }))
    expect(amazon.asked).toEqual([certificates.good, certificates.good])
  })
})

describe("A forged message of SNS is 403 and has no effect:", () => {
  // One app for all of them, because they have none.
  beforeAll(start)
  afterAll(close)
  beforeEach(() => void amazon.asked.splice(0))
  afterEach(async () => {
    const { status, bouncedAt } = await rowOf(it, id)
    expect([status, bouncedAt]).toEqual(["SENT", null])
  })

  test("another key", async () => {
    expect(await postSns(it, snsMessage(it, { Message }, { key: snsKeys.otherKey }))).toMatchObject(forbidden)
  })

  test.each(["Message", "MessageId", "Timestamp", "Type", "SignatureVersion", "Signature"])(
    "another %s",
    async (field) => {
      const message = snsMessage(it, { Message })
      const others: Record<string, string> = {
        Message: Message.replace("Permanent", "permanent"),
        MessageId: "11111111-fdea-4c2c-8f9d-000000000000",
        Timestamp: "2026-01-31T09:15:00.001Z",
        Type: "UnsubscribeConfirmation",
        SignatureVersion: "1",
        Signature: message.Signature?.replace(/^./, (one) => (one === "A" ? "B" : "A")) ?? "",
      }
      expect(await postSns(it, { ...message, [field]: others[field] })).toMatchObject(forbidden)
    },
  )

  test.each([
    "http://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem",
    "https://sns.eu-west-1.amazonaws.com.evil.test/SimpleNotificationService-1.pem",
    "https://evil.test/SimpleNotificationService-1.pem",
    "https://evilsns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem",
    "https://sns.eu-west-1.amazonaws.com:8443/SimpleNotificationService-1.pem",
    "https://sns.eu-west-1.amazonaws.com@evil.test/SimpleNotificationService-1.pem",
    "https://user:pass@sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem",
    "https://sns.eu-west-1.evil.amazonaws.com/SimpleNotificationService-1.pem",
    // Buckets of S3 with the name sns.
    "https://sns.s3.amazonaws.com/SimpleNotificationService-1.pem",
    "https://sns.s3-us-west-2.amazonaws.com/SimpleNotificationService-1.pem",
    "https://sns.s3-accelerate.amazonaws.com/SimpleNotificationService-1.pem",
    "https://sns.s3-website-us-east-1.amazonaws.com/SimpleNotificationService-1.pem",
    "https://s3.eu-west-1.amazonaws.com/bucket/SimpleNotificationService-1.pem",
    "https://sns.eu-west-1.amazonaws.com/bucket/SimpleNotificationService-1.pem",
    "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem?x=1",
    "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.txt",
    "https://sns.eu-west-1.amazonaws.com/",
    "file:///etc/ssl/a.pem",
    "nonsense",
  ])("its certificate at %s, which is never asked for", async (SigningCertURL) => {
    expect(await postSns(it, snsMessage(it, { Message, SigningCertURL }))).toMatchObject(forbidden)
    expect(amazon.asked).toEqual([])
  })

  test.each(["expired", "missing", "junk"] as const)("a certificate that is %s, asked for once", async (name) => {
    for (let times = 0; times < 3; times++)
      expect(await postSns(it, snsMessage(it, { Message, SigningCertURL: certificates[name] }))).toMatchObject(
        forbidden,
      )
    expect(amazon.asked).toEqual([certificates[name]])
  })

  test("another topic, and nothing leaves for it", async () => {
    for (const TopicArn of [`${topic}2`, topic.toUpperCase(), ""])
      expect(await postSns(it, snsMessage(it, { Message, TopicArn }))).toMatchObject(forbidden)
    expect(amazon.asked).toEqual([])
  })

  test("one without a possible signature, or out of its time, and no certificate is asked for", async () => {
    const SigningCertURL = "https://sns.eu-west-1.amazonaws.com/another.pem"
    const old = snsMessage(it, { Message, Timestamp: "2020-01-31T10:16:00.000Z" })
    for (const message of [
      { ...snsMessage(it, { Message }), SigningCertURL, Signature: "AAAA" },
      { ...old, SigningCertURL },
    ])
      expect(await postSns(it, message)).toMatchObject(forbidden)
    expect(amazon.asked).toEqual([])
  })

  test("one of the future, or of no time", async () => {
    const message = snsMessage(it, { Message, Timestamp: "2026-01-31T10:16:00.000Z" })
    expect(await postSns(it, message)).toMatchObject(forbidden)
    expect(await postSns(it, snsMessage(it, { Message, Timestamp: "yesterday" }))).toMatchObject(forbidden)
  })

  test.each([
    [{ minutes: 61 }, 403],
    [{ minutes: 59 }, 200],
  ])("an old one, %j later", async (span, status) => {
    const message = snsMessage(it, { Message: JSON.stringify({ ...bounce, eventType: "Send" }) })
    await it.advance(span)
    expect((await postSns(it, message)).status).toBe(status)
  })

  test.each([[{}], [[]], [null], ["text"], [bounce]])("%j, which has no signature", async (body) => {
    expect(await postSns(it, JSON.stringify(body))).toMatchObject(forbidden)
    expect(amazon.asked).toEqual([])
  })
})

describe("What else SNS is answered", () => {
  startForEach()

  test("400 for what is not JSON, or names no mail; 404 for mail that is not known", async () => {
    expect((await postSns(it, "not json")).status).toBe(400)
    for (const message of ["Successfully validated SNS topic", "{}", '{"mail":{}}', '{"mail":{"messageId":7}}', "null"])
      expect((await postSns(it, snsMessage(it, { Message: message }))).status).toBe(400)
    expect((await reportBySes(it, { messageId: "another" }, { eventType: "Delivery" })).status).toBe(404)
  })

  test("413 for more than 1 MB", async () => {
    expect((await postSns(it, `"${"x".repeat(1_048_576)}"`)).status).toBe(413)
  })

  test("500 when Amazon cannot be reached, so that the report is repeated", async () => {
    const message = snsMessage(it, { Message })
    const usual = amazon.answer
    amazon.answer = () => ({ outcome: "failed", reason: "There was no answer in time." })
    expect((await postSns(it, message)).status).toBe(500)
    amazon.answer = usual
    expect((await postSns(it, message)).status).toBe(200)
    expect((await rowOf(it, id)).status).toBe("BOUNCED")
  })

  test("a repeated message has one effect, also after a restart", async () => {
    const transient = { eventType: "Bounce", bounce: { bounceType: "Transient" }, mail: { messageId: "theirs" } }
    const message = snsMessage(it, { Message: JSON.stringify(transient) })
    for (let times = 0; times < 3; times++) expect((await postSns(it, message)).status).toBe(200)
    expect(await happened("email.bounce")).toHaveLength(1)
    await it.stop()
    const { folder, clock, ids } = it
    ;({ it, amazon } = await startReportsApp({ folder, clock, ids }))
    expect((await postSns(it, message)).status).toBe(200)
    expect(await happened("email.bounce")).toHaveLength(1)
    await postSns(it, snsMessage(it, { Message: JSON.stringify(transient) }))
    expect(await happened("email.bounce")).toHaveLength(2)
  })

  test("a bounce that two topics tell of has one effect", async () => {
    const feedback = { bounceType: "Transient", feedbackId: "01000157c44f053b-000000" }
    await reportBySes(it, { messageId: "theirs" }, { eventType: "Bounce", bounce: feedback })
    await reportBySes(it, { messageId: "theirs" }, { notificationType: "Bounce", bounce: feedback })
    expect(await happened("email.bounce")).toHaveLength(1)
  })

  test("repeated reports are forgotten after 30 days", async () => {
    const { reportTable } = await import("../../src/modules/reports/table.ts")
    await postSns(it, snsMessage(it, { Message }))
    await it.advance({ days: 29 })
    expect(await it.app.store.read.select().from(reportTable)).toHaveLength(1)
    await it.advance({ days: 2 })
    expect(await it.app.store.read.select().from(reportTable)).toHaveLength(0)
  })
})

describe("A subscription", () => {
  startForEach()

  test("to a configured topic is confirmed at the address that SNS names", async () => {
    expect(await postSns(it, confirmation(it))).toMatchObject({ status: 200, body: { success: true } })
    expect(amazon.asked).toEqual([certificates.good, confirmUrl])
  })

  test("to another topic, or with another signature, is not", async () => {
    expect(await postSns(it, confirmation(it, { TopicArn: `${topic}2` }))).toMatchObject(forbidden)
    const { Token: _, ...without } = confirmation(it)
    expect(await postSns(it, without)).toMatchObject(forbidden)
    expect(await postSns(it, { ...confirmation(it), SubscribeURL: `${confirmUrl}x` })).toMatchObject(forbidden)
    expect(amazon.asked).not.toContain(confirmUrl)
  })

  test.each([
    "http://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription",
    "https://sns.eu-west-1.amazonaws.com.evil.test/?Action=ConfirmSubscription",
    "https://sns.eu-west-1.amazonaws.com@127.0.0.1/",
    "https://sns.eu-west-1.amazonaws.com:444/",
    "https://169.254.169.254/latest/meta-data",
    "",
  ])("is 400 with the address %p", async (SubscribeURL) => {
    expect((await postSns(it, confirmation(it, { SubscribeURL }))).status).toBe(400)
    expect(amazon.asked).toEqual([certificates.good])
  })

  test("that SNS does not confirm is 500", async () => {
    const usual = amazon.answer
    amazon.answer = (url) => (url === confirmUrl ? usual(certificates.missing) : usual(url))
    expect((await postSns(it, confirmation(it))).status).toBe(500)
  })

  test("that ends is logged", async () => {
    expect((await postSns(it, confirmation(it, { Type: "UnsubscribeConfirmation" }))).status).toBe(200)
    expect(amazon.asked).toEqual([certificates.good])
    expect(it.complaints).toMatchObject([{ level: "warn", fields: { topic } }])
  })
})

describe("Postmark", () => {
  startForEach()

  const report = { RecordType: "Bounce", Type: "SoftBounce", MessageID: "theirs" }

  test.each([
    "",
    basic("postmark:wrong"),
    basic("wrong:secret: with colon"),
    basic("postmark"),
    basic("postmark:secret: with colon2"),
    basic(""),
    "Basic ???",
    "Bearer secret: with colon",
  ])("is 401 with the credentials %p, whatever the body", async (authorization) => {
    for (const body of [report, "not json"])
      expect(await reportByPostmark(it, body, authorization)).toMatchObject({
        status: 401,
        body: { error: { code: "UNAUTHORIZED" } },
      })
    expect(await happened("email.bounce")).toEqual([])
  })

  test("is 400 without JSON or MessageID, 404 for mail that is not known, 413 for more than 50 MB", async () => {
    for (const body of ["not json", "", "null", [], {}, { ...report, MessageID: 5 }])
      expect((await reportByPostmark(it, body)).status).toBe(400)
    expect((await reportByPostmark(it, { ...report, MessageID: "another" })).status).toBe(404)
    expect((await reportByPostmark(it, `"${"x".repeat(50 * 1_048_576)}"`)).status).toBe(413)
  })

  test("repeats a report without a second effect", async () => {
    for (let times = 0; times < 3; times++) expect((await reportByPostmark(it, report)).status).toBe(200)
    expect(await happened("email.bounce")).toHaveLength(1)
    await reportByPostmark(it, { ...report, ID: 2 })
    expect(await happened("email.bounce")).toHaveLength(2)
  })
})

describe("What is not there is 404 (contract B9.1.3, B9.1.4)", () => {
  startForEach()

  test("providers that are not configured", async () => {
    const bare = await startTestApp({ overrides: { outbound: amazon.fetch } })
    try {
      expect((await postSns(bare, snsMessage(bare, { Message }))).status).toBe(404)
      expect((await reportByPostmark(bare, {})).status).toBe(404)
      expect(amazon.asked).toEqual([])
    } finally {
      await bare.close()
    }
  })

  test("processors of incoming payments", async () => {
    expect((await it.api("POST /webhooks/incoming/stripe", { key: "none", raw: "{}" })).status).toBe(404)
  })
})
