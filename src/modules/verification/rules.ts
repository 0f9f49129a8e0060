import { domainOf } from "../../kernel/email-address.ts"
import { editDistance } from "../../kernel/suggest.ts"
import { type DnsAnswer, isNullMx, type Mx } from "../../net/dns.ts"
import type { Lists } from "./lists.ts"
import { popularDomains } from "./popular.ts"

/** The flags that follow from the address itself. */
export interface Flags {
  readonly isDisposable: boolean
  readonly isAlias: boolean
  readonly isTypo: boolean
  readonly isPlusAddressed: boolean
  readonly isPersonalEmail: boolean
  /** The probable intended address; absent when there is no typo. */
  readonly suggestedEmail?: string
}

/** The DNS results for its domain; false where there was no answer. */
export interface Findings {
  readonly domainExists: boolean
  readonly hasWebsite: boolean
  readonly hasMxRecords: boolean
  /** Whether the domain accepts mail, for the texts of `reasons`. */
  readonly mail: "accepted" | "declined" | "no_mx" | "no_domain" | "unknown"
}

/** The flags of a canonical address (contract A4.4). */
export function flagsOf(address: string, lists: Lists): Flags {
  const domain = domainOf(address)
  const local = address.slice(0, -domain.length - 1)
  const meant = lists.isPersonal(domain) || lists.isAlias(domain) ? undefined : mistyped(domain)
  return {
    isDisposable: lists.isDisposable(domain),
    isAlias: lists.isAlias(domain),
    isTypo: meant !== undefined,
    isPlusAddressed: local.lastIndexOf("+") > 0,
    isPersonalEmail: lists.isPersonal(domain),
    ...(meant === undefined ? {} : { suggestedEmail: `${local}@${meant}` }),
  }
}

/** The popular domain that is one insertion, deletion, replacement or swap of neighbours away. */
const mistyped = (domain: string): string | undefined =>
  popularDomains.find((popular) => Math.abs(popular.length - domain.length) <= 1 && editDistance(domain, popular) === 1)

/** "No such name" counts only when neither lookup found records: some servers deny names that exist. */
export function findingsOf(mx: DnsAnswer<Mx>, addresses: DnsAnswer<string>): Findings {
  const kinds = [mx.kind, addresses.kind]
  const isDenied = kinds.includes("no_domain") && !kinds.includes("found")
  const mail = mailOf(mx)
  return {
    domainExists: kinds.includes("found") || (kinds.includes("none") && !isDenied),
    hasWebsite: addresses.kind === "found",
    hasMxRecords: mail === "accepted",
    mail: isDenied ? "no_domain" : mail,
  }
}

function mailOf(mx: DnsAnswer<Mx>): Findings["mail"] {
  switch (mx.kind) {
    case "found":
      return mx.records.every(isNullMx) ? "declined" : "accepted"
    case "none":
    case "no_domain":
      return "no_mx"
    case "no_answer":
      return "unknown"
  }
}

/** Sentences for display, at least one: first whether mail can be delivered, then all arguments against the address. */
export function reasonsFor(address: string, flags: Flags, { mail }: Findings): string[] {
  const domain = domainOf(address)
  const about: Record<Findings["mail"], string> = {
    accepted: `The domain ${domain} has mail servers.`,
    declined: `The domain ${domain} says that it takes no mail.`,
    no_mx: `The domain ${domain} has no mail servers.`,
    no_domain: `The domain ${domain} does not exist.`,
    unknown: `DNS gave no answer about ${domain}, so nobody knows whether mail gets there.`,
  }
  return [
    about[mail],
    ...(flags.suggestedEmail ? [`It looks like a typing error: ${flags.suggestedEmail} was probably meant.`] : []),
    ...(flags.isDisposable ? [`The domain ${domain} gives out disposable addresses.`] : []),
    ...(flags.isAlias ? ["It is an alias that forwards to another mailbox."] : []),
    ...(flags.isPlusAddressed ? ["It is plus-addressed: what follows the + is not part of the mailbox."] : []),
    ...(flags.isPersonalEmail ? [`The domain ${domain} belongs to a provider of personal mailboxes.`] : []),
  ]
}
