import type { DnsRecord, Domain } from "../../api/domains.ts"

/** Something that the large providers ask of senders. */
interface Requirement {
  readonly name: string
  readonly text: string
  /** Whether mail of the domain has it; undefined where that cannot be told from here. */
  readonly isMet: boolean | undefined
}

/**
 * The requirements of Gmail, Yahoo and Outlook for senders of some thousand messages a day, and whether mail of a
 * domain meets them. Mail of a domain that was verified by hand is signed by the next server, if at all.
 */
export function requirementsOf({
  records,
  lastCheckedAt,
}: Pick<Domain, "records" | "lastCheckedAt">): readonly Requirement[] {
  const isChecked = lastCheckedAt !== null
  const has = (purpose: DnsRecord["purpose"]): boolean | undefined =>
    isChecked
      ? records.some((one) => one.purpose === purpose && one.status === "VERIFIED" && one.rotation === undefined)
      : undefined
  return [
    {
      name: "Signed by DKIM",
      text: "Every message carries a signature of this domain.",
      isMet: has("DKIM"),
    },
    {
      name: "Aligned",
      text: "The signature names the domain that people see as the sender, which is what DMARC asks for.",
      isMet: has("DKIM"),
    },
    {
      name: "A DMARC record",
      text: "At least p=none.",
      isMet: has("DMARC"),
    },
    {
      name: "Passes SPF",
      text: "The server that mail leaves through must be named in the SPF record of the address that bounces go to. Your relay tells you what to put there.",
      isMet: undefined,
    },
    {
      name: "One click to unsubscribe",
      text: "Marketing mail has the headers for it, and a link that works.",
      isMet: true,
    },
  ]
}
