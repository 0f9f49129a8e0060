import { jsonObject } from "../../src/kernel/api-call.ts"
import { reasonOf } from "../../src/kernel/log.ts"
import { createStoppable } from "../../src/kernel/stoppable.ts"
import {
  deferred,
  emailTag,
  type Outgoing,
  projectTag,
  type Receipt,
  rejected,
  sent,
  type Transport,
  type TransportPlugin,
  type TransportTools,
  unknownOutcome,
  unreachable,
  withheld,
} from "../../src/mail/transport.ts"
import { createAccount } from "./account.ts"
import { createAwsClient } from "./client.ts"
import { createIdentity } from "./identity.ts"
import { readOptions, type SesOptions } from "./options.ts"
import { refusalOf } from "./receipts.ts"

/** Hands mail to Amazon SES by SendEmail of its API version 2, as raw messages. */
const ses: TransportPlugin = {
  schemes: ["ses"],
  create: (url, tools) => createSes(readOptions(url, tools.env), tools),
}

export default ses

// How long to wait for an answer after an abort, once the message is handed over.
const finalAnswerMs = 1_000

function createSes(options: SesOptions, tools: Pick<TransportTools, "clock" | "log">): Transport {
  const { clock } = tools
  const client = createAwsClient(options, clock)
  const requests = createStoppable()
  const account = createAccount(client, { ...tools, closing: requests.signal })

  async function deliver(message: Outgoing, abort: AbortSignal): Promise<Receipt> {
    let bytes: Uint8Array
    try {
      bytes = await message.bytes()
    } catch (problem) {
      return rejected(`the message cannot be composed: ${reasonOf(problem)}`)
    }
    const refused = await account.admit(abort)
    if (refused) return refused
    try {
      await message.begin()
    } catch (cause) {
      return withheld(reasonOf(cause))
    }
    if (abort.aborted) return stopped
    return handOver(bodyOf(message, bytes, options), abort)
  }

  async function handOver(body: unknown, abort: AbortSignal): Promise<Receipt> {
    const answer = await client.ses({
      method: "POST",
      path: "/v2/email/outbound-emails",
      body,
      abort,
      timeoutMs: options.timeoutMs,
      graceMs: finalAnswerMs,
    })
    if (answer.kind !== "answered") account.doubt()
    if (answer.kind === "unreached") return unreachable(`SES cannot be reached: ${answer.reason}`)
    if (answer.kind === "lost") return unknownOutcome(`handed over to SES, then no answer: ${answer.reason}`)
    const error = client.errorIn(answer)
    if (error === undefined) {
      const id = jsonObject(answer.text)?.MessageId
      if (typeof id === "string" && id !== "") return sent(id)
      account.doubt()
      return unknownOutcome("SES's answer does not tell of the message.")
    }
    const { receipt, cause } = refusalOf(error, { isSandbox: account.isSandbox, now: clock.now() })
    if (cause !== "other") account.exceeded(cause)
    else if (error.status >= 500) account.doubt()
    return receipt
  }

  return {
    name: `ses://${options.region}`,
    limits: { concurrency: options.pool, batch: 1 },
    beginsEach: true,
    identity: createIdentity(client, options, tools),
    send: (messages, abort) =>
      requests.run(abort, (stop) =>
        Promise.all(messages.map((message) => (stop.aborted ? stopped : deliver(message, stop)))),
      ),
    async verify(abort) {
      const refused = await account.ask(abort)
      if (refused && refused.outcome !== "sent") throw new Error(refused.reason)
    },
    close: requests.stop,
  }
}

/** Tags come back in the reports; SES makes its own MAIL FROM, and mails bounces to verified addresses only. */
const bodyOf = (message: Outgoing, bytes: Uint8Array, { configurationSet }: SesOptions) => ({
  Destination: { ToAddresses: [message.envelope.to] },
  FeedbackForwardingEmailAddress: message.from.address,
  Content: { Raw: { Data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64") } },
  EmailTags: [
    { Name: emailTag, Value: message.id },
    { Name: projectTag, Value: message.projectId },
  ],
  ...(configurationSet !== null && { ConfigurationSetName: configurationSet }),
})

const stopped = deferred("stopped before the message was handed over")
