import { reasonOf } from "../../kernel/log.ts"
import { type Outgoing, type Receipt, type Transport, withheld } from "../transport.ts"

/**
 * `send` of a transport that does not call `begin` itself: whatever it is given has begun, and what may not leave now it is
 * not given.
 */
export const begunBefore =
  (send: Transport["send"]): Transport["send"] =>
  async (messages, abort) => {
    const refusals = new Map<Outgoing, Receipt>()
    const begin = async (message: Outgoing): Promise<void> => {
      try {
        await message.begin()
      } catch (cause) {
        refusals.set(message, withheld(reasonOf(cause)))
      }
    }
    await Promise.all(messages.map(begin))
    const begun = messages.filter((message) => !refusals.has(message))
    const receipts = begun.length > 0 ? await send(begun, abort) : []
    if (refusals.size === 0) return receipts
    const found = new Map(begun.map((message, at) => [message, receipts[at]]))
    return messages.map((message) => refusals.get(message) ?? (found.get(message) as Receipt))
  }
