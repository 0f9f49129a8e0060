import { deferred, type Receipt, rejected, spent, unknownOutcome, unreachable } from "../../src/mail/transport.ts"
import type { AwsError } from "./client.ts"

/** What an error means for the account as a whole. */
type Cause = "rate" | "quota" | "other"

interface Refusal {
  readonly receipt: Receipt
  readonly cause: Cause
}

interface RefusalContext {
  /** Whether the account is known to be in the sandbox of SES, where it sends to verified addresses only. */
  readonly isSandbox: boolean
  readonly now: number
}

// Its own words for a rate are "up to 10 minutes"; the rate is obeyed, so it is rarely exceeded and for seconds.
const rateRetryMs = 60_000
// The quota covers the last 24 hours, so a part of it becomes free every hour.
export const quotaRetryMs = 3_600_000

const credentialFaults =
  /^(?:AccessDenied|InvalidClientTokenId|UnrecognizedClient|SignatureDoesNotMatch|InvalidSignature|ExpiredToken|MissingAuthenticationToken|IncompleteSignature|RequestExpired|InvalidAccessKeyId)/

/**
 * The receipt for an error of SendEmail. Errors that an operator can fix are deferrals; errors of the account as a
 * whole are `unreachable`, so that the next transport is tried.
 */
export function refusalOf({ status, type, message }: AwsError, { isSandbox, now }: RefusalContext): Refusal {
  const other = (receipt: Receipt): Refusal => ({ receipt, cause: "other" })
  switch (type) {
    case "TooManyRequestsException":
    case "ThrottlingException":
    case "Throttling":
    case "LimitExceededException":
      return /daily|quota/i.test(message)
        ? { receipt: quotaSpent(now), cause: "quota" }
        : { receipt: deferred(`SES takes no more at this rate: ${message}`, now + rateRetryMs), cause: "rate" }
    case "AccountSuspendedException":
      return other(unreachable(`AWS has ended this account's permission to send with SES: ${message}`))
    case "SendingPausedException":
      return other(paused(message))
    case "MailFromDomainNotVerifiedException":
      return other(deferred(`The MAIL FROM domain is not verified in SES: ${message}`))
    case "NotFoundException":
      return other(deferred(`SES does not find the configuration set; "mailstead ses setup" makes it: ${message}`))
    case "MessageRejected":
      return other(rejection(message, isSandbox))
    case "BadRequestException":
      return other(rejected(`SES rejects it: ${message}`))
  }
  if (credentialFaults.test(type)) return other(unreachable(`SES refuses the credentials (${type}): ${message}`))
  if (status === 413) return other(rejected("The message is larger than SES takes."))
  if (status === 429)
    return { receipt: deferred(`SES takes no more at this rate: ${message}`, now + rateRetryMs), cause: "rate" }
  if (status === 503) return other(unreachable(`SES is not available: ${message}`))
  if (status >= 500) return other(unknownOutcome(`SES failed with status ${status}: ${message}`))
  if (status >= 400) return other(deferred(`SES answered with ${type || `status ${status}`}: ${message}`))
  return other(unknownOutcome(`SES answered with status ${status}.`))
}

export const quotaSpent = (now: number): Receipt =>
  spent("The SES account has sent as much in 24 hours as it may; ask AWS for a higher quota.", now + quotaRetryMs)

const paused = (message: string): Receipt =>
  unreachable(`Sending is paused for this SES account or its configuration set: ${message}`)

/**
 * The message tells whether the account is the cause, as in "Sending paused for this account. For more information
 * ...".
 */
function rejection(message: string, isSandbox: boolean): Receipt {
  if (/\bsending (?:paused|suspended) for this account/i.test(message)) return paused(message)
  return /not verified/i.test(message) ? notVerified(message, isSandbox) : rejected(`SES rejects it: ${message}`)
}

const notVerified = (message: string, isSandbox: boolean): Receipt =>
  deferred(
    isSandbox
      ? `The SES account is in the sandbox: it sends to verified addresses only, until AWS grants production access. ${message}`
      : `SES does not know the sender as verified: ${message}`,
  )
