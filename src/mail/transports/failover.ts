import { type Clock, isAhead, second } from "../../kernel/clock.ts"
import {
  deferred,
  type Outgoing,
  type Receipt,
  spent,
  type TellReceipt,
  type Transport,
  unreachable,
} from "../transport.ts"
import { batched } from "./batched.ts"
import { begunBefore } from "./begin.ts"
import { stopped } from "./unsent.ts"

// How long a transport that could not be reached is passed over.
const pauseMs = 30 * second

interface Member {
  readonly name: string
  readonly send: Transport["send"]
  /** Clock time until which it is passed over; 0 when it works. */
  pausedUntil: number
  /** A single call tests whether it works again; the others do not wait for it. */
  probing: boolean
  successes: number
}

/**
 * Several transports in order of preference. A message moves on to the next one only when the one before could not be
 * reached (`unreachable`): never when it was refused, deferred on its own account, or may already be delivered. A
 * transport that cannot be reached is paused for half a minute, so a dead one costs a connection timeout once and not for
 * every message; when all are paused, all are tried nevertheless. The limits are those of the first.
 *
 * The pauses are in memory: a process that does not know of them finds out by one connection timeout.
 */
export function failover(transports: readonly [Transport, ...Transport[]], clock: Clock): Transport {
  const members: Member[] = transports.map((transport) => ({
    name: transport.name,
    // The others may begin each message, so the queue does not look at them when it claims them.
    send: transport.repeatable ? begunBefore(batched(transport)) : batched(transport),
    pausedUntil: 0,
    probing: false,
    successes: 0,
  }))

  /** By preference, paused ones last. */
  function inOrder(): Member[] {
    const now = clock.now()
    const isPaused = ({ pausedUntil, probing }: Member) => probing || isAhead(pausedUntil, now, pauseMs)
    return [...members.filter((member) => !isPaused(member)), ...members.filter(isPaused)]
  }

  async function attempt(
    member: Member,
    messages: readonly Outgoing[],
    abort: AbortSignal,
    tell: TellReceipt,
  ): Promise<Receipt[]> {
    const { successes } = member
    const probe = member.pausedUntil > 0 && !member.probing
    if (probe) member.probing = true
    try {
      const receipts = await member.send(messages, abort, tell)
      const unreached = receipts.find(isUnreachable)
      if (receipts.some((receipt) => !isUnreachable(receipt)) && !abort.aborted) resume(member)
      // If other calls reached the server meanwhile, it was only short of connections.
      else if (unreached && member.successes === successes) member.pausedUntil = clock.now() + pauseMs
      return receipts
    } finally {
      if (probe) member.probing = false
    }
  }

  function resume(member: Member): void {
    member.successes++
    member.pausedUntil = 0
  }

  const send: Transport["send"] = async (messages, abort, tell) => {
    const tellFinal: TellReceipt = (message, receipt) => {
      if (!isUnreachable(receipt)) tell?.(message, receipt)
    }
    let states: { message: Outgoing; receipt?: Receipt }[] = messages.map((message) => ({ message }))
    for (const member of inOrder()) {
      const left = states.filter(({ receipt }) => receipt === undefined || isUnreachable(receipt))
      if (left.length === 0 || abort.aborted) break
      const unreached = left.filter(({ receipt }) => receipt !== undefined)
      // No server has these messages: if they stayed begun, a crash would end them while they wait for the next
      // transport.
      if (unreached.length > 0) await Promise.all(unreached.map(({ message }) => message.retract?.()))
      const found = await attempt(
        member,
        left.map(({ message }) => message),
        abort,
        tellFinal,
      )
      const receipts = new Map(left.map((state, index) => [state, found[index]]))
      states = states.map((state) => withReceipt(state, receipts.get(state)))
    }
    return states.map(({ receipt }) => receipt ?? stopped)
  }

  return {
    name: transports.map(({ name }) => name).join(", else "),
    limits: transports[0].limits,
    send,
    async close() {
      await Promise.all(transports.map((transport) => transport.close()))
    },
  }
}

type Unreachable = Extract<Receipt, { outcome: "deferred" }>

const isUnreachable = (receipt: Receipt | undefined): receipt is Unreachable =>
  receipt?.outcome === "deferred" && receipt.unreachable === true

function withReceipt<State extends { receipt?: Receipt }>(state: State, found: Receipt | undefined): State {
  if (!found) return state
  const { receipt } = state
  return { ...state, receipt: isUnreachable(receipt) && isUnreachable(found) ? ofBoth(receipt, found) : found }
}

/** None could be reached: the reason names all of them, and the first that may be tried again is waited for. */
function ofBoth(one: Unreachable, other: Unreachable): Receipt {
  const reason = `${one.reason}; ${other.reason}`
  if (one.retryAt === undefined || other.retryAt === undefined) return unreachable(reason)
  const retryAt = Math.min(one.retryAt, other.retryAt)
  const receipt = one.uncounted && other.uncounted ? spent(reason, retryAt) : deferred(reason, retryAt)
  return { ...receipt, ...unreachable(reason) }
}
