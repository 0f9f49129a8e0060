import type { Bus } from "../../bus/bus.ts"
import type { Idempotency } from "../../http/idempotency.ts"
import type { Jobs } from "../../jobs/jobs.ts"
import type { Sweep } from "../../module.ts"
import type { Accounts } from "../accounts/index.ts"
import type { Audit } from "../audit/index.ts"

export interface HousekeepingDeps {
  readonly bus: Pick<Bus, "prune">
  readonly jobs: Pick<Jobs, "prune">
  readonly idempotency: Pick<Idempotency, "prune">
  readonly accounts: Pick<Accounts, "prune">
  readonly audit: Pick<Audit, "dropOld">
}

/** Handled signals, old jobs, expired keys and tokens, and audit rows older than a year (contract B10.3, B10.4). */
export const createHousekeeping = ({ bus, jobs, idempotency, accounts, audit }: HousekeepingDeps): Sweep[] => [
  { name: "signals", often: true, run: bus.prune },
  { name: "jobs", often: true, run: jobs.prune },
  { name: "idempotency keys", often: true, run: idempotency.prune },
  { name: "sessions and tokens", often: true, run: accounts.prune },
  { name: "audit", often: true, run: (each) => each(audit.dropOld) },
]
