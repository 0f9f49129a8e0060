import { unlessAborted } from "../../src/kernel/abort.ts"
import { jsonObject } from "../../src/kernel/api-call.ts"
import { isAhead } from "../../src/kernel/clock.ts"
import { deferred, type Receipt, type TransportTools, unreachable } from "../../src/mail/transport.ts"
import type { AwsClient } from "./client.ts"
import { quotaRetryMs, quotaSpent, refusalOf } from "./receipts.ts"

/** The sending limits of the account, which are obeyed before a message is handed over. */
interface Account {
  /**
   * Waits until one message may be sent; resolves to a receipt when none may. Asks SES when its last answer is old or
   * the last request failed, so that an unreachable provider is detected by a request that sends nothing.
   */
  admit(abort: AbortSignal): Promise<Receipt | undefined>
  /** Asks SES now; a receipt when it cannot be used. */
  ask(abort: AbortSignal): Promise<Receipt | undefined>
  readonly isSandbox: boolean
  /** Reports that SES has refused a message because of the rate, or of the quota. */
  exceeded(what: "rate" | "quota"): void
  /** Reports that the last request got no answer: SES is asked again before the next message. */
  doubt(): void
}

interface Limits {
  readonly perSecond: number
  /** What is left of the quota of 24 hours; infinite when it has none. */
  left: number
  readonly isSandbox: boolean
  readonly isPaused: boolean
}

const unlimited: Limits = {
  perSecond: Number.POSITIVE_INFINITY,
  left: Number.POSITIVE_INFINITY,
  isSandbox: false,
  isPaused: false,
}

// Other programs may send from the same account, so its figures become stale; SES answers this request once a second.
const freshMs = 60_000
const timeoutMs = 10_000
const pauseMs = 1_000
// Timers are not more precise; shorter waits are combined.
const finestMs = 10

export function createAccount(
  client: AwsClient,
  { clock, log, closing }: Pick<TransportTools, "clock" | "log"> & { readonly closing: AbortSignal },
): Account {
  let limits: Limits | undefined
  let freshUntil = 0
  let asking: Promise<Receipt | undefined> | undefined
  /** When the next message may go. */
  let nextAt = 0
  let askedAt = 0
  let quotaUntil = 0
  let hasWarned = false

  /** A receipt when SES cannot be used. */
  async function ask(): Promise<Receipt | undefined> {
    // Nothing may be sent before the limits are known.
    const call = limits === undefined ? client.manage : client.ses
    const answer = await call({ method: "GET", path: "/v2/email/account", abort: closing, timeoutMs })
    if (answer.kind !== "answered") return unreachable(`SES cannot be reached: ${answer.reason}`)
    const error = client.errorIn(answer)
    const told = jsonObject(answer.text)
    // As from the page of a proxy, which would take each message, too.
    if (error === undefined && told === undefined)
      return unreachable("SES cannot be used: its answer does not tell of the account.")
    if (error === undefined) limits = limitsIn(told)
    else if (/^AccessDenied/.test(error.type)) withoutPermission()
    else if (limits === undefined || (error.status < 500 && error.status !== 429)) {
      const { receipt } = refusalOf(error, { isSandbox: false, now: clock.now() })
      return receipt.outcome === "deferred" ? receipt : unreachable(`SES cannot be used: ${error.message}`)
    }
    freshUntil = clock.now() + freshMs
    return undefined
  }

  function withoutPermission(): void {
    if (!hasWarned) log.warn("SES does not tell its quota and rate: the credentials lack ses:GetAccount")
    hasWarned = true
    limits ??= unlimited
  }

  const isFresh = () => limits !== undefined && isAhead(freshUntil, clock.now(), freshMs)

  async function admit(abort: AbortSignal): Promise<Receipt | undefined> {
    if (!isFresh()) {
      // One request for all that wait, so it is not ended by the signal of one of them.
      asking ??= ask().finally(() => {
        asking = undefined
      })
      const refused = await unlessAborted(asking, abort)
      if (abort.aborted) return stopped
      if (refused) return refused
    }
    const now = clock.now()
    if (limits?.isPaused)
      return unreachable("Sending is paused for this SES account; AWS has written why to its owner.")
    if (isAhead(quotaUntil, now, quotaRetryMs)) return quotaSpent(now)
    if (limits === undefined || limits.left <= 0) return quotaSpent(now)
    limits.left--
    // When the clock is set back, waiting messages keep their delay.
    if (now < askedAt) nextAt -= askedAt - now
    askedAt = now
    const at = Math.max(now, nextAt)
    nextAt = at + 1_000 / limits.perSecond
    if (at - now >= finestMs) await clock.sleep(at - now, abort)
    return abort.aborted ? stopped : undefined
  }

  return {
    admit,
    async ask(abort) {
      const refused = await unlessAborted(ask(), abort)
      if (refused) return refused
      return limits?.isPaused ? unreachable("Sending is paused for this SES account.") : undefined
    },
    get isSandbox() {
      return limits?.isSandbox === true
    },
    exceeded(what) {
      if (what === "rate") nextAt = Math.max(nextAt, clock.now() + pauseMs)
      else quotaUntil = clock.now() + quotaRetryMs
    },
    doubt() {
      freshUntil = 0
    },
  }
}

function limitsIn(account: Readonly<Record<string, unknown>> | undefined): Limits {
  const quota = (account?.SendQuota ?? {}) as Readonly<Record<string, unknown>>
  const figure = (name: string): number | undefined => {
    const value = quota[name]
    return typeof value === "number" && Number.isFinite(value) ? value : undefined
  }
  const [most = -1, rate = 0, sent = 0] = ["Max24HourSend", "MaxSendRate", "SentLast24Hours"].map(figure)
  return {
    // 0 and less stand for "no limit".
    perSecond: rate > 0 ? rate : Number.POSITIVE_INFINITY,
    left: most < 0 ? Number.POSITIVE_INFINITY : Math.max(0, most - sent),
    isSandbox: account?.ProductionAccessEnabled === false,
    // Paused by the owner, or by AWS.
    isPaused: account?.SendingEnabled === false || account?.EnforcementStatus === "SHUTDOWN",
  }
}

const stopped = deferred("stopped before the message was handed over")
