import { type Clock, second } from "../../kernel/clock.ts"
import { isObject } from "../../kernel/json.ts"
import { type Log, reasonOf } from "../../kernel/log.ts"
import {
  deferred,
  type Receipt,
  rejected,
  sent,
  spent,
  type Transport,
  unknownOutcome,
  unreachable,
  withheld,
} from "../transport.ts"
import { begunBefore } from "./begin.ts"
import { guardedIdentity, scrubbed } from "./guarded-identity.ts"
import type { Scrub } from "./secrets.ts"
import { stopped } from "./unsent.ts"

const longestReason = 500
/** How long a server that stops waits for its transports to close. */
const closeMs = 3 * second

/**
 * Wraps a transport so that the ledger can rely on it, whatever a plugin does: `send` never rejects and returns one
 * valid receipt per message. An invalid result counts as unknown, because the mail may have been sent. Reasons are
 * shortened and cleared of secrets. `close` is called once, takes at most three seconds and never rejects.
 */
export function guarded(transport: Transport, scrub: Scrub, log: Log, clock: Clock): Transport {
  const clean = (text: string): string => scrub(text).slice(0, longestReason).toWellFormed()
  const { limits } = transport
  const name = scrub(transport.name)
  let closing: Promise<void> | undefined
  // A plugin may take what it has sent out of its list.
  const plain: Transport["send"] = async (messages, abort) =>
    closing ? messages.map(() => stopped) : transport.send([...messages], abort)
  const handOver = transport.beginsEach || transport.repeatable ? plain : begunBefore(plain)

  async function send(...[messages, abort]: Parameters<Transport["send"]>): Promise<Receipt[]> {
    const allUnknown = (problem: string) => {
      log.error(`transport ${name}: ${problem}`, { messages: messages.length })
      return messages.map(() => unknownOutcome(problem))
    }
    try {
      const receipts: unknown = await handOver(messages, abort)
      if (!Array.isArray(receipts)) return allUnknown("it gave no list of receipts")
      // `Array.from`, because `map` would skip elements that a plugin has never set.
      if (receipts.length === messages.length) return Array.from(receipts, validReceipt)
      return allUnknown(`it gave ${receipts.length} receipts for ${messages.length} messages`)
    } catch (cause) {
      return allUnknown(clean(`it failed: ${reasonOf(cause)}`))
    }
  }

  function validReceipt(given: unknown): Receipt {
    const receipt = readReceipt(given, clean)
    if (receipt) return receipt
    log.error(`transport ${name}: it gave an invalid receipt`)
    return unknownOutcome("the transport gave an invalid receipt")
  }

  async function close(): Promise<void> {
    const closed = new AbortController()
    const late = clock.sleep(closeMs, closed.signal).then(() => {
      throw new Error("it is not closed after 3 seconds")
    })
    try {
      await Promise.race([transport.close(), late])
    } catch (cause) {
      log.warn(`transport ${name}: closing failed`, { reason: clean(reasonOf(cause)) })
    } finally {
      late.catch(() => {})
      closed.abort()
    }
  }

  return {
    name,
    limits,
    send,
    close: () => {
      closing ??= close()
      return closing
    },
    ...(transport.repeatable && { repeatable: true }),
    ...(transport.takesLazy && { takesLazy: true }),
    ...(transport.verify && { verify: (abort) => scrubbed(transport.verify?.(abort), clean) }),
    ...(transport.identity && { identity: guardedIdentity(transport.identity, clean) }),
  }
}

function readReceipt(given: unknown, clean: (text: string) => string): Receipt | undefined {
  if (!isObject(given)) return undefined
  const { outcome, providerId, retryAt } = given
  const reason = typeof given.reason === "string" ? clean(given.reason) : "no reason given"
  switch (outcome) {
    case "sent":
      return sent(typeof providerId === "string" && providerId !== "" ? providerId : null)
    case "deferred": {
      if (given.withheld === true) return withheld(reason)
      const notBefore = isTime(retryAt) ? retryAt : undefined
      const isSpent = given.uncounted === true && notBefore !== undefined
      const receipt = isSpent ? spent(reason, notBefore) : deferred(reason, notBefore)
      return given.unreachable === true ? { ...receipt, ...unreachable(reason) } : receipt
    }
    case "rejected":
      return rejected(reason)
    case "unknown":
      return unknownOutcome(reason)
    default:
      return undefined
  }
}

/** Whether a value is a time that a date can have. */
const isTime = (value: unknown): value is number =>
  typeof value === "number" && !Number.isNaN(new Date(value).getTime())
