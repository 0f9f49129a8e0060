import { deferred, type Receipt, rejected, sent, unknownOutcome, unreachable } from "../../src/mail/transport.ts"

// The pause after a rate limit, for which Postmark names no time.
const rateRetryMs = 60_000

const unknownSender = (message: string): Receipt =>
  deferred(`Postmark does not know the sender; add its domain or a sender signature there: ${message}`)

/**
 * The meaning of Postmark's error codes for a message. Any other code is a deferral, because the message was not
 * accepted.
 */
const meanings: Readonly<Record<number, (message: string, now: number) => Receipt>> = {
  10: (message) => unreachable(`Postmark refuses the token: ${message}`),
  100: (message) => unreachable(`Postmark is under maintenance: ${message}`),
  // Postmark documents this code also for a sender without a signature.
  300: (message) =>
    /sender signature/i.test(message) ? unknownSender(message) : rejected(`Postmark rejects it: ${message}`),
  400: (message) => unknownSender(message),
  401: (message) => deferred(`The sender signature is not confirmed at Postmark: ${message}`),
  402: (message) => rejected(`Postmark cannot read the message: ${message}`),
  403: (message) => rejected(`Postmark cannot read the message: ${message}`),
  405: (message) => unreachable(`The Postmark account may send no more: ${message}`),
  406: (message) => rejected(`The recipient is inactive at Postmark after a bounce or a complaint: ${message}`),
  411: (message) => rejected(`Postmark takes no attachment of this type: ${message}`),
  412: (message) => unreachable(`The Postmark account waits for its approval: ${message}`),
  413: (message) => unreachable(`The Postmark account may not send: ${message}`),
  429: (message, now) => deferred(`Postmark takes no more at this rate: ${message}`, now + rateRetryMs),
}

/** The receipt for one entry of the answer to a batch: `{ ErrorCode, Message, MessageID }`. */
export function receiptOf(entry: unknown, now: number, show: (words: string) => string): Receipt {
  const { ErrorCode, Message, MessageID } = (typeof entry === "object" && entry !== null ? entry : {}) as Record<
    string,
    unknown
  >
  if (typeof ErrorCode !== "number") return unknownOutcome("Postmark's answer does not tell of this message.")
  if (ErrorCode === 0) return sent(typeof MessageID === "string" ? MessageID : null)
  return refusalOf(ErrorCode, Message, now, show)
}

export function refusalOf(code: number, words: unknown, now: number, show: (words: string) => string): Receipt {
  const message = show(typeof words === "string" ? words : "no reason given")
  return meanings[code]?.(message, now) ?? deferred(`Postmark refuses it with code ${code}: ${message}`)
}

/** The receipt for each message of a batch that was answered with this status as a whole. */
export function receiptOfStatus(status: number, now: number): Receipt {
  if (status === 401) return unreachable("Postmark refuses the token.")
  if (status === 429) return deferred("Postmark takes no more at this rate.", now + rateRetryMs)
  if (status === 413) return rejected("The message is larger than Postmark takes.")
  if (status === 503) return unreachable("Postmark is not available.")
  if (status >= 500) return unknownOutcome(`Postmark failed with status ${status}.`)
  if (status >= 400) return deferred(`Postmark answered with status ${status}.`)
  return unknownOutcome(`Postmark answered with status ${status}.`)
}

/** Whether the batch was refused as a whole because of one of its messages, or of its size. */
export const isOfOne = (status: number, code: unknown): boolean =>
  status === 413 || (status === 422 && [300, 402, 403, 410, 411].includes(Number(code)))
