import { accepted, type Received, type Receiver } from "../../inbound/types.ts"
import type { Reports } from "../reports/index.ts"
import type { Destination, FindDestination } from "./destination.ts"
import type { Intake } from "./intake.ts"

interface ReceiverDeps {
  readonly destinationOf: FindDestination
  readonly reports: Pick<Reports, "receiveReturned">
  /** Stores a message for those recipients, and judges it. */
  readonly intake: (message: Received<string>, recipients: Parameters<Intake>[1]) => Promise<string[]>
}

/** Takes mail of other servers: to verified domains and to return paths, nothing else. It never answers by mail. */
export const createReceiver = ({ destinationOf, reports, intake }: ReceiverDeps): Receiver<string> => ({
  async recipient(address) {
    const destination = await destinationOf(address)
    return "outcome" in destination ? destination : undefined
  },

  async receive(message) {
    const destinations = await Promise.all(message.recipients.map(destinationOf))
    const refusal = destinations.find((destination) => "outcome" in destination)
    if (refusal) return refusal
    // Reports come first: each takes effect only once, so it may be delivered again if storing the rest fails.
    for (const destination of destinations)
      if (isReturn(destination)) await reports.receiveReturned(destination.emailId, message.raw)
    const ids = await intake(message, destinations.filter(isInbox))
    return accepted(ids[0] ?? "Received")
  },
})

const isReturn = (destination: Destination) => "kind" in destination && destination.kind === "return_path"
export const isInbox = (destination: Destination) => "kind" in destination && destination.kind === "inbox"
