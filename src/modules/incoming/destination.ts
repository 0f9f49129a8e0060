import { type Refused, refused } from "../../inbound/types.ts"
import { domainOf, parseInternational } from "../../kernel/email-address.ts"
import { type Domains, isReturnPath } from "../domains/index.ts"

/** Where mail to an address goes. */
export type Destination =
  /** The inbox of the project that has verified the domain (contract B9.6.3). */
  | { readonly kind: "inbox"; readonly projectId: string; readonly address: string }
  /** A bounce or other reply to a message of ours, by its return path (contract B9.6.4). */
  | { readonly kind: "return_path"; readonly emailId: string }
  | Refused

const notRelayed = refused(550, "5.7.1", "This server does not take mail for this address without a login")
const unknownAddress = refused(550, "5.1.1", "No such address here")

/**
 * Characters of source routes, by which an address asks a server to relay mail: `user%other.test@here`,
 * `other.test!user@here`.
 */
const asksForRelay = /[%!]/

/** `postmaster` without a domain is the postmaster of this server (RFC 5321, 4.5.1). */
const postmaster = /^postmaster$/i

export type FindDestination = (recipient: string) => Promise<Destination>

type DestinationDeps = Pick<Domains, "emailOfReturnPath" | "projectReceiving" | "isReturnHost">

/** Any other address is refused, so that this server never relays mail. `hostname` is the name of this server. */
export function createDestinations(domains: DestinationDeps, hostname: string): FindDestination {
  /** In the inbox of the nearest domain above a host of ours: of `shop.example` for `mail.shop.example`. */
  async function postmasterOf(host: string): Promise<Destination> {
    const projectId = await domains.projectReceiving(host)
    if (projectId !== undefined) return { kind: "inbox", projectId, address: `postmaster@${host}` }
    const dot = host.indexOf(".")
    return dot < 0 ? notRelayed : postmasterOf(host.slice(dot + 1))
  }

  return async (recipient) => {
    if (postmaster.test(recipient)) return postmasterOf(hostname)
    const address = parseInternational(recipient)
    if (address === undefined || asksForRelay.test(address)) return notRelayed
    const emailId = domains.emailOfReturnPath(address)
    if (emailId !== undefined) return { kind: "return_path", emailId }
    const domain = domainOf(address)
    const projectId = await domains.projectReceiving(domain)
    if (projectId !== undefined) return { kind: "inbox", projectId, address }
    const isReturnHost = await domains.isReturnHost(domain)
    if (isReturnHost && address === `postmaster@${domain}`) return postmasterOf(domain)
    return isReturnHost || isReturnPath(address) ? unknownAddress : notRelayed
  }
}
