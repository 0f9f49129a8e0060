import { about } from "../../http/openapi/describe.ts"
import { optional, shape, text } from "../../http/schema.ts"
import { iso, isoOrNull } from "../../kernel/clock.ts"
import type { ExpectedRecord } from "./records.ts"
import type { Domain, DomainStatus } from "./table.ts"
import type { DomainWithRecords } from "./with-records.ts"

export const newDomainBody = shape({
  domain: about("Two labels or more, such as `shop.example`.", text({ min: 3, max: 253, form: "domain" })),
  projectId: optional(about("If given, the project of the caller.", text({ form: "id" }))),
})

/** The status of a record; that of the domain for one that is verified without lookups. */
const statusOf = ({ checks, vouched }: Domain, { key }: ExpectedRecord): DomainStatus =>
  vouched ? "VERIFIED" : (checks[key]?.status ?? "PENDING")

/** The time of the last check that found all records that are required, in ms; null before the first such check. */
const verifiedAt = ({ verified, pendingSince, createdAt }: Domain): number | null =>
  verified || pendingSince > createdAt ? pendingSince : null

/** Contract B6; `found`, the values published instead, is not in the contract. */
export const presentDomain = ({ domain, records, selectors, isInUse }: DomainWithRecords) => ({
  id: domain.id,
  domain: domain.domain,
  verified: domain.verified,
  status: domain.status,
  dkimTokens: selectors,
  records: records.map((record) => ({
    purpose: record.purpose,
    type: record.type,
    name: record.name,
    value: record.value,
    ...(record.priority === undefined ? {} : { priority: record.priority }),
    required: record.required,
    ...(record.rotation === undefined ? {} : { rotation: record.rotation }),
    status: statusOf(domain, record),
    found: domain.vouched ? [] : (domain.checks[record.key]?.found ?? []),
  })),
  projectId: domain.projectId,
  inUse: isInUse,
  verifiedAt: isoOrNull(verifiedAt(domain)),
  lastCheckedAt: isoOrNull(domain.lastCheckedAt),
  createdAt: iso(domain.createdAt),
  updatedAt: iso(domain.updatedAt),
})
