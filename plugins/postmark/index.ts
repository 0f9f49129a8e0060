import { type ApiRequest, callApi, jsonObject, showable } from "../../src/kernel/api-call.ts"
import { isAhead } from "../../src/kernel/clock.ts"
import { jsonOf } from "../../src/kernel/json.ts"
import { reasonOf } from "../../src/kernel/log.ts"
import { createStoppable } from "../../src/kernel/stoppable.ts"
import type { Outgoing, Receipt, Transport, TransportPlugin, TransportTools } from "../../src/mail/transport.ts"
import { deferred, rejected, unknownOutcome, unreachable, withheld } from "../../src/mail/transport.ts"
import { fieldsOf } from "./fields.ts"
import { type PostmarkOptions, readOptions } from "./options.ts"
import { isOfOne, receiptOf, receiptOfStatus, refusalOf } from "./receipts.ts"

/** Sends mail by Postmark's batch API. */
const postmark: TransportPlugin = {
  schemes: ["postmark"],
  create: (url, tools) => createPostmark(readOptions(url), tools),
}

export default postmark

const mostMessages = 500
// Postmark accepts 50 MB. But a request that is not sent within its time limit has an unknown outcome, after which bulk
// mail is not sent again: with the default options this size needs 3 Mbit/s for all connections together.
const mostBytes = 5_000_000
// How long to wait for an answer after an abort, once the batch is handed over.
const finalAnswerMs = 1_000
// After a pause of this length, or a failure, a request that sends nothing comes first: if the provider cannot be
// reached, the messages are deferred, instead of having an unknown outcome.
const trustMs = 60_000
const probeTimeoutMs = 10_000

/** A message with its fields as JSON. */
interface Prepared {
  readonly message: Outgoing
  readonly json: string
}

function createPostmark(options: PostmarkOptions, { clock }: Pick<TransportTools, "clock">): Transport {
  const { endpoint, token, timeoutMs } = options
  const show = (words: string) => showable(words, [token])
  const requests = createStoppable()
  let trustedUntil = 0

  const headers = { Accept: "application/json", "Content-Type": "application/json", "X-Postmark-Server-Token": token }
  const request = (method: ApiRequest["method"], path: string, body?: string): ApiRequest => ({
    method,
    url: endpoint + path,
    headers,
    ...(body !== undefined && { body }),
  })

  const isTrusted = () => isAhead(trustedUntil, clock.now(), trustMs)

  /** A receipt when Postmark cannot be reached or does not let us in. */
  async function probe(abort: AbortSignal): Promise<Receipt | undefined> {
    const answer = await callApi(request("GET", "/server"), { timeoutMs: probeTimeoutMs, abort })
    if (abort.aborted) return stopped
    if (answer.kind !== "answered") return unreachable(`Postmark cannot be reached: ${show(answer.reason)}`)
    if (answer.status === 401 || answer.status === 503) return receiptOfStatus(answer.status, clock.now())
    if (answer.status >= 500) return unreachable(`Postmark failed with status ${answer.status}.`)
    // As from the page of a proxy, which would take each batch, too.
    if (answer.status === 200 && jsonObject(answer.text) === undefined)
      return unreachable("Postmark cannot be used: its answer does not tell of the server.")
    trustedUntil = clock.now() + trustMs
    return undefined
  }

  async function sendAll(messages: readonly Outgoing[], abort: AbortSignal): Promise<Receipt[]> {
    const receipts = new Map<Outgoing, Receipt>()
    for (const batch of batchesOf(messages, options, receipts)) {
      const refused = abort.aborted ? stopped : isTrusted() ? undefined : await probe(abort)
      if (refused) for (const { message } of batch) receipts.set(message, refused)
      else await sendBatch(batch, receipts, abort)
    }
    return messages.map((message) => receipts.get(message) ?? unknownOutcome("Postmark has no receipt for it."))
  }

  async function sendBatch(
    batch: readonly Prepared[],
    receipts: Map<Outgoing, Receipt>,
    abort: AbortSignal,
  ): Promise<void> {
    const begun = (await Promise.all(batch.map((each) => begin(each, receipts)))).flatMap((each) => each ?? [])
    if (begun.length > 0) await handOver(begun, receipts, abort)
  }

  async function handOver(batch: readonly Prepared[], receipts: Map<Outgoing, Receipt>, abort: AbortSignal) {
    const all = (receipt: Receipt) => {
      for (const { message } of batch) receipts.set(message, receipt)
    }
    if (abort.aborted) return all(stopped)
    const body = `[${batch.map(({ json }) => json).join(",")}]`
    const answer = await callApi(request("POST", "/email/batch", body), { timeoutMs, abort, graceMs: finalAnswerMs })
    if (answer.kind !== "answered" || answer.status >= 500) trustedUntil = 0
    if (answer.kind === "unreached") return all(unreachable(`Postmark cannot be reached: ${show(answer.reason)}`))
    if (answer.kind === "lost")
      return all(unknownOutcome(`handed over to Postmark, then no answer: ${show(answer.reason)}`))
    if (answer.status === 200) {
      const entries = jsonOf(answer.text)
      if (!Array.isArray(entries) || entries.length !== batch.length) {
        trustedUntil = 0
        return all(unknownOutcome("Postmark's answer does not fit the batch."))
      }
      for (const [at, { message }] of batch.entries()) receipts.set(message, receiptOf(entries[at], clock.now(), show))
      return
    }
    const { ErrorCode, Message } = jsonObject(answer.text) ?? {}
    if (batch.length > 1 && isOfOne(answer.status, ErrorCode)) {
      // None of them was accepted: the batch is split in halves to find the message that was refused.
      const middle = batch.length >> 1
      await handOver(batch.slice(0, middle), receipts, abort)
      return handOver(batch.slice(middle), receipts, abort)
    }
    all(
      answer.status === 422 && typeof ErrorCode === "number"
        ? refusalOf(ErrorCode, Message, clock.now(), show)
        : receiptOfStatus(answer.status, clock.now()),
    )
  }

  return {
    name: "postmark",
    limits: { concurrency: options.pool, batch: mostMessages },
    beginsEach: true,
    send: (messages, abort) =>
      requests.run(abort, async (stop) => (stop.aborted ? messages.map(() => stopped) : sendAll(messages, stop))),
    async verify(abort) {
      const refused = await probe(abort)
      if (refused && refused.outcome !== "sent") throw new Error(refused.reason)
    },
    close: requests.stop,
  }
}

function jsonFor(message: Outgoing, { streams }: PostmarkOptions): string | Receipt {
  try {
    return JSON.stringify(fieldsOf(message, streams))
  } catch (problem) {
    return rejected(`the message cannot be composed: ${reasonOf(problem)}`)
  }
}

async function begin(each: Prepared, receipts: Map<Outgoing, Receipt>): Promise<Prepared | undefined> {
  try {
    await each.message.begin()
    return each
  } catch (cause) {
    receipts.set(each.message, withheld(reasonOf(cause)))
    return undefined
  }
}

/**
 * Groups that keep the limits of one request, made one at a time, so that only one is in memory. A message that is too
 * large by itself is a group of its own; one that cannot be composed gets its receipt here.
 */
function* batchesOf(
  messages: readonly Outgoing[],
  options: PostmarkOptions,
  receipts: Map<Outgoing, Receipt>,
): Generator<Prepared[]> {
  let group: Prepared[] = []
  let bytes = 0
  for (const message of messages) {
    const json = jsonFor(message, options)
    if (typeof json !== "string") {
      receipts.set(message, json)
      continue
    }
    const size = Buffer.byteLength(json)
    if (group.length > 0 && (group.length === mostMessages || bytes + size > mostBytes)) {
      yield group
      group = []
      bytes = 0
    }
    group.push({ message, json })
    bytes += size
  }
  if (group.length > 0) yield group
}

const stopped = deferred("stopped before the message was handed over")
