import { verify } from "node:crypto"
import { type Clock, hour } from "../../../kernel/clock.ts"
import { forbidden, malformed } from "../../../kernel/errors.ts"
import type { Log } from "../../../kernel/log.ts"
import type { SafeFetch } from "../../../net/safe-fetch.ts"
import { jsonIn } from "../json.ts"
import type { ProvidedMail } from "../provided.ts"
import type { ProviderReport } from "../provider-report.ts"
import { createCertificates } from "./certificates.ts"
import { type Envelope, envelopeIn, snsAddress } from "./envelope.ts"
import { inbound, sesEventIn } from "./ses-event.ts"
import { sesMail } from "./ses-mail.ts"

/** The greatest age of a message, clock differences included. */
const maxAgeMs = hour
/** The length of the shortest signature, by an RSA key of 1,024 bits. */
const shortestSignature = 128

interface SnsDeps {
  readonly outbound: SafeFetch
  readonly clock: Clock
  readonly log: Log
  /** The only topics whose messages count. */
  readonly topics: readonly string[]
}

/** Reads what SNS sends (contract B9.1.1). Undefined for what is genuine and reports nothing of a message. */
export function createSnsReceiver({ outbound, clock, log, topics }: SnsDeps) {
  const findKey = createCertificates({ outbound, clock })

  async function isGenuine({ certificateUrl, algorithm, signed, signature }: Envelope): Promise<boolean> {
    // Checked before a certificate is requested.
    if (signature.length < shortestSignature) return false
    const key = await findKey(certificateUrl)
    return key !== undefined && verify(algorithm, Buffer.from(signed), key, signature)
  }

  /** No request is made for other topics, or for a message that cannot be genuine. */
  async function verified(body: Uint8Array): Promise<Envelope> {
    const envelope = envelopeIn(jsonIn(body))
    if (envelope === undefined) throw forbidden("This is not a message of SNS.")
    if (!topics.includes(envelope.topic)) throw forbidden("This is not a topic of ours.")
    if (!(Math.abs(clock.now() - envelope.sentAt) <= maxAgeMs)) throw forbidden("The message is too old.")
    if (!(await isGenuine(envelope))) throw forbidden("The signature is not that of SNS.")
    return envelope
  }

  async function confirm({ subscribeUrl, topic }: Envelope): Promise<void> {
    const url = snsAddress(subscribeUrl)
    if (url === undefined) throw malformed("SubscribeURL is not an address of SNS.")
    const fetched = await outbound(url.href)
    if (fetched.outcome !== "answered") throw new Error(`SNS cannot be asked to confirm: ${fetched.reason}`)
    if (fetched.status !== 200) throw new Error(`SNS did not confirm the subscription: status ${fetched.status}.`)
    log.info("SNS reports to this server", { topic })
  }

  return async (body: Uint8Array): Promise<ProviderReport | ProvidedMail | undefined> => {
    const envelope = await verified(body)
    switch (envelope.type) {
      case "SubscriptionConfirmation":
        await confirm(envelope)
        return undefined
      case "UnsubscribeConfirmation":
        log.warn("SNS no longer reports to this server", { topic: envelope.topic })
        return undefined
      case "Notification": {
        const message = jsonIn(envelope.message)
        const event = sesEventIn(message, envelope.messageId)
        if (event === undefined) throw malformed("Message has no mail.messageId.")
        return event.kind === inbound ? sesMail(message) : event
      }
    }
  }
}
