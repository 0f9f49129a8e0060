import { isObject } from "../../../kernel/json.ts"
import { parseUrl } from "../../../kernel/url.ts"

/** What SNS sends to a subscriber: https://docs.aws.amazon.com/sns/latest/dg/sns-message-and-json-formats.html */
export interface Envelope {
  readonly type: "Notification" | "SubscriptionConfirmation" | "UnsubscribeConfirmation"
  readonly messageId: string
  readonly topic: string
  readonly message: string
  /** When SNS took the message, in ms; the same when it is repeated. */
  readonly sentAt: number
  readonly subscribeUrl: string
  readonly certificateUrl: string
  readonly algorithm: "sha1" | "sha256"
  readonly signature: Buffer
  /** What the signature is over. */
  readonly signed: string
}

/** The signed fields of each type, in the order in which they are signed; those that are absent are left out. */
const signedFields = {
  Notification: ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"],
  SubscriptionConfirmation: ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"],
  UnsubscribeConfirmation: ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"],
} as const

const algorithms: Readonly<Record<string, Envelope["algorithm"]>> = { "1": "sha1", "2": "sha256" }

/** Undefined for what SNS does not send. Nothing of an envelope is to be believed before its signature is verified. */
export function envelopeIn(value: unknown): Envelope | undefined {
  if (!isObject(value)) return undefined
  const text = (name: string): string | undefined => (typeof value[name] === "string" ? value[name] : undefined)
  const type = (["Notification", "SubscriptionConfirmation", "UnsubscribeConfirmation"] as const).find(
    (one) => one === value.Type,
  )
  const algorithm = algorithms[text("SignatureVersion") ?? ""]
  const [messageId, topic, message, timestamp] = ["MessageId", "TopicArn", "Message", "Timestamp"].map(text)
  const [certificateUrl, signature] = ["SigningCertURL", "Signature"].map(text)
  if (type === undefined || algorithm === undefined || !messageId || !topic || message === undefined || !timestamp)
    return undefined
  if (!certificateUrl || !signature) return undefined
  return {
    type,
    messageId,
    topic,
    message,
    sentAt: Date.parse(timestamp),
    subscribeUrl: text("SubscribeURL") ?? "",
    certificateUrl,
    algorithm,
    signature: Buffer.from(signature, "base64"),
    signed: signedFields[type].map((name) => (text(name) === undefined ? "" : `${name}\n${text(name)}\n`)).join(""),
  }
}

/** A region such as `eu-central-1` or `us-gov-west-1`: other names in its place are those of buckets of S3. */
const snsHost = /^sns\.[a-z]{2,4}(?:-[a-z]{2,12}){1,3}-\d{1,2}\.amazonaws\.com(?:\.cn)?$/

/** The address of a page of SNS, in any region; undefined for every other address. */
export function snsAddress(text: string): URL | undefined {
  const url = parseUrl(text)
  if (url?.protocol !== "https:" || url.port !== "" || url.username !== "" || url.password !== "") return undefined
  return snsHost.test(url.hostname) ? url : undefined
}
