import { type Clock, second } from "../../kernel/clock.ts"
import type { Log } from "../../kernel/log.ts"
import { deferred, type Outgoing, type Receipt, type Transport, unreachable } from "../transport.ts"
import { batched } from "./batched.ts"

// How long a way out that could not be reached is passed over.
const restMs = 30 * second

interface Member {
  readonly name: string
  readonly send: Transport["send"]
  /** Clock time until which it is passed over; 0 when it works. */
  restUntil: number
  /** One call finds out whether it works again; the others do not wait for that. */
  probing: boolean
  successes: number
}

/**
 * Several ways out in order of preference. A message moves on to the next one only when the one before could not be
 * reached (`unreachable`): never when it was refused, deferred on its own account, or may already be on its way. A way
 * out that cannot be reached rests for half a minute, so a dead one costs a connection timeout once and not for every
 * message; when all rest, all are tried all the same. The limits are those of the first.
 */
export function failover(transports: readonly [Transport, ...Transport[]], clock: Clock, log: Log): Transport {
  const members: Member[] = transports.map((transport) => ({
    name: transport.name,
    send: batched(transport),
    restUntil: 0,
    probing: false,
    successes: 0,
  }))

  /** By preference, those that rest last. */
  function inOrder(): Member[] {
    const now = clock.now()
    const rests = ({ restUntil, probing }: Member) => probing || now < restUntil
    return [...members.filter((member) => !rests(member)), ...members.filter(rests)]
  }

  async function attempt(member: Member, messages: readonly Outgoing[], signal: AbortSignal): Promise<Receipt[]> {
    const { successes } = member
    const probe = member.restUntil > 0 && !member.probing
    if (probe) member.probing = true
    try {
      const receipts = await member.send(messages, signal)
      const unreached = receipts.find(isUnreachable)
      if (receipts.some((receipt) => !isUnreachable(receipt)) && !signal.aborted) revive(member)
      // A server that others reached meanwhile is only short of connections.
      else if (unreached && member.successes === successes) rest(member, unreached)
      return receipts
    } finally {
      if (probe) member.probing = false
    }
  }

  function revive(member: Member): void {
    member.successes++
    if (member.restUntil > 0) log.info(`transport ${member.name} works again`)
    member.restUntil = 0
  }

  function rest(member: Member, { reason }: { reason: string }): void {
    if (member.restUntil <= clock.now()) log.warn(`transport ${member.name} cannot be reached`, { reason })
    member.restUntil = clock.now() + restMs
  }

  async function send(messages: readonly Outgoing[], signal: AbortSignal): Promise<Receipt[]> {
    let states: { message: Outgoing; receipt?: Receipt }[] = messages.map((message) => ({ message }))
    for (const member of inOrder()) {
      const left = states.filter(({ receipt }) => receipt === undefined || isUnreachable(receipt))
      if (left.length === 0 || signal.aborted) break
      const found = await attempt(
        member,
        left.map(({ message }) => message),
        signal,
      )
      const news = new Map(left.map((state, index) => [state, found[index]]))
      states = states.map((state) => after(state, news.get(state)))
    }
    return states.map(({ receipt }) => receipt ?? deferred("stopped before it was handed over"))
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

/** When nothing could be reached, the reasons of all are told. */
function after<State extends { receipt?: Receipt }>(state: State, news: Receipt | undefined): State {
  if (!news) return state
  const { receipt } = state
  const all = isUnreachable(receipt) && isUnreachable(news) ? unreachable(`${receipt.reason}; ${news.reason}`) : news
  return { ...state, receipt: all }
}
