import type { Clock } from "../../kernel/clock.ts"
import type { TransportIdentity } from "../transport.ts"
import type { TransportMember, TransportSettings } from "../transports.ts"
import { createRecord } from "./record.ts"

const leftToServer = async (): Promise<never> => {
  throw new Error("the server asks the provider, not a command")
}
const unasked: TransportIdentity = { register: leftToServer, read: leftToServer, remove: leftToServer }

/**
 * The configured transports for commands, which open none: enough to tell whether a provider asks for records of its own
 * and to find what the server has stored of it.
 */
export function unopenedMembers({ mail, transports }: TransportSettings, clock: Clock): TransportMember[] {
  const names = [...new Set([mail.transactional, mail.bulk])]
  const urls = names.flatMap((name) => (name === null ? mail.url : (transports[name]?.url ?? [])))
  return urls.map((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    const member = { name: `${url?.protocol}//${url?.hostname}`, lanes: [], record: createRecord(clock) }
    return url?.protocol === "ses:" ? { ...member, identity: unasked } : member
  })
}
