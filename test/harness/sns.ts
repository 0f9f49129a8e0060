import { sign } from "node:crypto"
import { iso } from "../../src/kernel/clock.ts"
import type { Fetched, SafeFetch } from "../../src/net/safe-fetch.ts"
import { startTestApp, type TestApp, type TestOptions } from "./app.ts"
import { snsKeys } from "./sns-keys.ts"

export const topic = "arn:aws:sns:eu-west-1:123456789012:mailstead"
const host = "https://sns.eu-west-1.amazonaws.com"
export const certificates = {
  good: `${host}/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem`,
  expired: `${host}/SimpleNotificationService-expired.pem`,
  missing: `${host}/SimpleNotificationService-missing.pem`,
  junk: `${host}/SimpleNotificationService-junk.pem`,
}
export const confirmUrl = `${host}/?Action=ConfirmSubscription&TopicArn=${topic}&Token=2336412f37`

/** Amazon as the server sees it: what it was asked for, and what it answers. */
export interface Amazon {
  readonly asked: string[]
  answer: (url: string) => Fetched
  readonly fetch: SafeFetch
}

const answered = (status: number, text: string): Fetched => ({
  outcome: "answered",
  status,
  headers: {},
  body: new TextEncoder().encode(text),
})

const usual = (url: string): Fetched => {
  switch (url) {
    case certificates.good:
      return answered(200, snsKeys.certificate)
    case certificates.expired:
      return answered(200, snsKeys.expired)
    case certificates.junk:
      return answered(200, "This is no certificate.")
    case confirmUrl:
      return answered(200, "<ConfirmSubscriptionResponse/>")
    default:
      return answered(404, "")
  }
}

function createAmazon(): Amazon {
  const asked: string[] = []
  const amazon: Amazon = {
    asked,
    answer: usual,
    fetch: async (url) => {
      asked.push(url)
      return amazon.answer(url)
    },
  }
  return amazon
}

/** An app that takes reports of the topic and of Postmark, with an Amazon of its own. */
export async function startReportsApp(options: TestOptions = {}): Promise<{ it: TestApp; amazon: Amazon }> {
  const amazon = createAmazon()
  const it = await startTestApp({
    ...options,
    settings: {
      "ses.topics": topic,
      "postmark.webhook_user": "postmark",
      "postmark.webhook_password": "secret: with colon",
      ...options.settings,
    },
    overrides: { outbound: amazon.fetch, ...options.overrides },
  })
  return { it, amazon }
}

type SnsFields = Record<string, string>

let next = 0

/** A message as SNS sends it to a subscriber, signed by the key of the good certificate. */
export function snsMessage(it: TestApp, fields: SnsFields, { key = snsKeys.key as string } = {}): SnsFields {
  next += 1
  const message: SnsFields = {
    Type: "Notification",
    MessageId: `22b80b92-fdea-4c2c-8f9d-${String(next).padStart(12, "0")}`,
    TopicArn: topic,
    Message: "{}",
    Timestamp: iso(it.clock.now()),
    SignatureVersion: "2",
    SigningCertURL: certificates.good,
    ...fields,
  }
  return { Signature: signatureOf(message, key), ...message }
}

/** The rule of the documentation, written down a second time. */
function signatureOf(message: SnsFields, key: string): string {
  const unsigned = ["SignatureVersion", "SigningCertURL", "Signature", "UnsubscribeURL"]
  const signed = Object.keys(message)
    .filter((name) => !unsigned.includes(name))
    .sort()
    .map((name) => `${name}\n${message[name]}\n`)
  return sign(message.SignatureVersion === "1" ? "sha1" : "sha256", Buffer.from(signed.join("")), key).toString(
    "base64",
  )
}

export const confirmation = (it: TestApp, fields: SnsFields = {}): SnsFields =>
  snsMessage(it, {
    Type: "SubscriptionConfirmation",
    Token: "2336412f37",
    Message: `You have chosen to subscribe to the topic ${topic}.`,
    SubscribeURL: confirmUrl,
    ...fields,
  })

export const postSns = (it: TestApp, message: unknown) =>
  it.api("POST /webhooks/sns", {
    key: "none",
    raw: typeof message === "string" ? message : JSON.stringify(message),
    headers: { "Content-Type": "text/plain; charset=UTF-8" },
  })

/** Has SES report something; `mail` is what names the message. */
export const reportBySes = (it: TestApp, mail: object, event: object, fields: SnsFields = {}) =>
  postSns(it, snsMessage(it, { Message: JSON.stringify({ ...event, mail }), ...fields }))

export const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString("base64")}`

export const reportByPostmark = (it: TestApp, record: unknown, authorization = basic("postmark:secret: with colon")) =>
  it.api("POST /webhooks/postmark", {
    key: "none",
    raw: typeof record === "string" ? record : JSON.stringify(record),
    headers: { "Content-Type": "application/json", Authorization: authorization },
  })
