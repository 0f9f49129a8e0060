import type { Domain, DomainStatus } from "../../api/domains.ts"
import { StatusMark, type Tone } from "../../ui/status.tsx"

const marks: Record<DomainStatus, { tone: Tone; name: string }> = {
  PENDING: { tone: "moving", name: "Not found yet" },
  VERIFIED: { tone: "good", name: "Verified" },
  FAILED: { tone: "bad", name: "Not found" },
}

/** Whether a domain or a record of it was found as it should be. */
export const DomainMark = ({ status }: { status: DomainStatus }) => (
  <StatusMark tone={marks[status].tone} pill>
    {marks[status].name}
  </StatusMark>
)

/** Whether it was verified by the operator of the server (contract A8.1). */
export const isVouched = ({ status, lastCheckedAt }: Pick<Domain, "status" | "lastCheckedAt">): boolean =>
  status === "VERIFIED" && lastCheckedAt === null
