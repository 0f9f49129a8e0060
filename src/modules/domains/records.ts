import type { DomainIdentity, IdentityRecord, IdentityStatus } from "../../mail/transport.ts"
import type { DkimKey } from "./table.ts"

export type RecordPurpose = "DKIM" | "SPF" | "RETURN_PATH" | "DMARC" | "INBOUND"

/** A DNS record that a domain should have (contract B6.1). */
export interface ExpectedRecord {
  /** Names the record among those of its domain, and its check. */
  readonly key: string
  readonly purpose: RecordPurpose
  readonly type: "TXT" | "MX" | "CNAME"
  readonly name: string
  readonly value: string
  readonly priority?: number
  readonly required: boolean
  /** Of DKIM keys that do not sign: they will, or did (contract B6.10). */
  readonly rotation?: "next" | "old"
  /** The provider's own result, which overrides our lookup; absent for records of ours. */
  readonly found?: IdentityStatus
  /** Whether a published value is sufficient. */
  matches(published: string): boolean
  /** Parent names, the nearest first, whose record counts if the name itself has none. */
  readonly alsoAt?: readonly string[]
  /**
   * For kinds of records that a name may have only once: whether a value is of this kind. If there are several, none
   * counts.
   */
  isOfKind?(published: string): boolean
}

interface RecordOptions {
  readonly domain: string
  /** The keys that we sign with; empty when providers sign all mail. */
  readonly keys: readonly Pick<DkimKey, "selector" | "algorithm" | "publicKey" | "state">[]
  /** Our host name for mail servers; undefined when we have none and receive no mail. */
  readonly host: string | undefined
  /** The state of the domain at each provider. */
  readonly identities?: readonly DomainIdentity[]
}

/** The subdomain for bounces, which aligns SPF with the domain (RFC 7489, 3.1.2). */
export const returnPathOf = (domain: string): string => `bounce.${domain}`

/** The domain whose return path this host is; undefined for another host. */
export const domainOfReturnPath = (host: string): string | undefined =>
  host.startsWith("bounce.") ? host.slice("bounce.".length) : undefined

/** The key of the record of a DKIM key. */
export const recordKeyOf = (selector: string): string => `dkim:${selector}`

const mxPriority = 10

/** The records to publish for a domain, for mail that we sign ourselves and for providers. Pure. */
export function expectedRecords({ domain, keys, host, identities = [] }: RecordOptions): ExpectedRecord[] {
  return [
    ...keys.map((key) => dkimRecord(domain, key)),
    ...identities.flatMap(({ records }) => records.map(providerRecord)),
    ...(host === undefined || keys.length === 0 ? [] : pathRecords(domain, host)),
    dmarcRecord(domain),
    ...(host === undefined ? [] : [mxRecord("INBOUND", domain, host)]),
  ]
}

function dkimRecord(
  domain: string,
  { selector, algorithm, publicKey, state }: RecordOptions["keys"][number],
): ExpectedRecord {
  return {
    key: recordKeyOf(selector),
    purpose: "DKIM",
    type: "TXT",
    name: `${selector}._domainkey.${domain}`,
    value: `v=DKIM1; k=${algorithm}; p=${publicKey}`,
    // Some DNS providers and verifiers do not support Ed25519; the signature of the first key is enough.
    required: algorithm === "rsa" && state === "active",
    ...(state !== "active" && { rotation: state }),
    matches(published) {
      const tags = tagsOf(published)
      return (tags.get("k") ?? "rsa") === algorithm && tags.get("p")?.replace(/\s/g, "") === publicKey
    },
    isOfKind: isKey,
  }
}

function pathRecords(domain: string, host: string): ExpectedRecord[] {
  const name = returnPathOf(domain)
  return [
    {
      key: "spf",
      purpose: "SPF",
      type: "TXT",
      name,
      value: `v=spf1 a:${host} ~all`,
      required: false,
      matches: (published) => isSpf(published) && published.toLowerCase().split(/\s+/).includes(`a:${host}`),
      isOfKind: isSpf,
    },
    mxRecord("RETURN_PATH", name, host),
  ]
}

const mxRecord = (purpose: "RETURN_PATH" | "INBOUND", name: string, host: string): ExpectedRecord => ({
  key: purpose.toLowerCase(),
  purpose,
  type: "MX",
  name,
  value: host,
  priority: mxPriority,
  required: false,
  matches: (published) => published.toLowerCase().replace(/\.$/, "") === host,
})

const dmarcRecord = (domain: string): ExpectedRecord => ({
  key: "dmarc",
  purpose: "DMARC",
  type: "TXT",
  name: `_dmarc.${domain}`,
  value: "v=DMARC1; p=none",
  required: false,
  alsoAt: parentsOf(domain).map((parent) => `_dmarc.${parent}`),
  matches: (published) =>
    isDmarc(published) && ["none", "quarantine", "reject"].includes(tagsOf(published.toLowerCase()).get("p") ?? ""),
  isOfKind: isDmarc,
})

/** More are not looked up; receivers do not either. */
const mostParents = 7

/** The domains above one, without the topmost, to which DMARC falls back (RFC 7489, 6.6.3). */
function parentsOf(domain: string): string[] {
  const labels = domain.split(".")
  return labels
    .slice(1, -1)
    .map((_, at) => labels.slice(at + 1).join("."))
    .slice(-mostParents)
}

/** Of two at one selector verifiers take either, or none (RFC 6376, 3.6.2.2). */
const isKey = (published: string): boolean => tagsOf(published).has("p")
/** Two at one name are an error, with which SPF fails (RFC 7208, 4.5). */
const isSpf = (published: string): boolean => /^v=spf1(?: |$)/i.test(published)
/** Of two at one name none applies (RFC 7489, 6.6.3). Only the case of `DMARC1` counts (6.4). */
const isDmarc = (published: string): boolean => /^[vV]\s*=\s*DMARC1\s*;/.test(published)

const bare = (text: string): string => text.toLowerCase().replace(/^\s+/, "").replace(/\.$/, "")

const providerRecord = ({ status, ...record }: IdentityRecord): ExpectedRecord => ({
  ...record,
  key: `${record.purpose.toLowerCase()}:${record.type}:${record.name}`,
  ...(status && { found: status }),
  matches: (published) => bare(published) === bare(record.value),
})

/** The tags of a record (RFC 6376, 3.2). */
const tagsOf = (text: string): Map<string, string> =>
  new Map(
    text.split(";").map((part) => {
      const at = part.indexOf("=")
      return [part.slice(0, Math.max(0, at)).trim(), part.slice(at + 1).trim()]
    }),
  )
