import { type Refused, refused } from "../../inbound/types.ts"
import { domainOf, parseAddress } from "../../kernel/email-address.ts"
import { type Domains, isReturnPath } from "../domains/index.ts"

/** Where mail to an address goes. */
export type Destination =
  /** The inbox of the project that has verified the domain (contract B9.6.3). */
  | { readonly kind: "inbox"; readonly projectId: string; readonly address: string }
  /** What came back for a message of ours (contract B9.6.4). */
  | { readonly kind: "return_path"; readonly emailId: string }
  | Refused

const notRelayed = refused(550, "5.7.1", "This server does not take mail for this address without a login")
const unknownAddress = refused(550, "5.1.1", "No such address here")

/** Characters with which an address asks a server to pass mail on: `user%other.test@here`, `other.test!user@here`. */
const asksForRelay = /[%!]/

export type FindDestination = (recipient: string) => Promise<Destination>

/** Any address that is neither of the above is refused, so that nothing is ever passed on to others. */
export const createDestinations =
  (domains: Pick<Domains, "emailOfReturnPath" | "projectReceiving" | "isReturnHost">): FindDestination =>
  async (recipient) => {
    const address = parseAddress(recipient)
    if (address === undefined || asksForRelay.test(address)) return notRelayed
    const emailId = domains.emailOfReturnPath(address)
    if (emailId !== undefined) return { kind: "return_path", emailId }
    const domain = domainOf(address)
    const projectId = await domains.projectReceiving(domain)
    if (projectId !== undefined) return { kind: "inbox", projectId, address }
    return isReturnPath(address) || (await domains.isReturnHost(domain)) ? unknownAddress : notRelayed
  }
