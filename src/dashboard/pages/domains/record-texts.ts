import type { DnsRecord, Domain } from "../../api/domains.ts"

/** What a record is for. */
export const purposes: Record<DnsRecord["purpose"], { name: string; text: string }> = {
  DKIM: {
    name: "DKIM",
    text: "The key with which receivers check that a message is yours and was not changed on its way.",
  },
  SPF: {
    name: "SPF",
    text: "Says that this server may send for the address that undeliverable mail goes back to.",
  },
  RETURN_PATH: {
    name: "Return path",
    text: "Brings reports of undeliverable mail back here.",
  },
  DMARC: {
    name: "DMARC",
    text: "Says what receivers do with mail that only pretends to be yours. Providers ask senders of much mail for one. One of the domain above counts too.",
  },
  INBOUND: {
    name: "Inbound",
    text: "Brings mail to this domain here. Leave it out while another server takes the mail of the domain.",
  },
}

/** Whether it is of a key of this server; those of providers are CNAME records. */
export const isOwnKey = ({ purpose, type }: Pick<DnsRecord, "purpose" | "type">): boolean =>
  purpose === "DKIM" && type === "TXT"

/** What a record is for; the second key of DKIM is beside the first. */
export function textOf({ purpose, required, rotation }: Pick<DnsRecord, "purpose" | "required" | "rotation">): string {
  if (rotation !== undefined) return rotations[rotation].text
  return purpose === "DKIM" && !required
    ? "A second, shorter key for receivers that know its kind (Ed25519). Mail is signed with both."
    : purposes[purpose].text
}

/** Keys that do not sign, because others take their place or they take the place of others. */
export const rotations = {
  next: {
    name: "new",
    text: "A new key. Mail is signed with it as soon as its record is found; until then the present key stays.",
  },
  old: {
    name: "replaced",
    text: "The key before. Mail on its way is still checked with it, so remove this record after a week.",
  },
} as const satisfies Record<NonNullable<DnsRecord["rotation"]>, { name: string; text: string }>

/** Octets of one string of a TXT record (RFC 1035, 3.3.14). */
const longestString = 255

/** The records to publish as a zone file has them (RFC 1035, 5), one a line. */
export const zoneFileOf = (records: readonly DnsRecord[]): string =>
  records
    .filter(({ rotation }) => rotation !== "old")
    .map(zoneLineOf)
    .join("\n")

function zoneLineOf({ name, type, value, priority }: DnsRecord): string {
  const data = type === "TXT" ? stringsOf(value).join(" ") : type === "MX" ? `${priority ?? 10} ${value}.` : `${value}.`
  return `${name}. 3600 IN ${type} ${data}`
}

const stringsOf = (value: string): string[] =>
  (value.match(new RegExp(`.{1,${longestString}}`, "g")) ?? []).map((part) => `"${part.replace(/["\\]/g, "\\$&")}"`)

const stateTexts: Record<Domain["status"], string> = {
  PENDING: "Mail may be sent from this domain once the required records are found.",
  VERIFIED: "Mail may be sent from this domain.",
  FAILED: "The required records were not found for three days. They are still looked for.",
}

/** What the status of a domain means. Without a required record it is the provider's turn (contract B6.8). */
export const stateText = ({ status, records }: Pick<Domain, "status" | "records">): string =>
  status === "VERIFIED" || records.some(({ required }) => required)
    ? stateTexts[status]
    : "The mail provider of this server has not named its records: it could not be asked yet, or it has the domain already for somebody else. Who runs this server can vouch for it."
