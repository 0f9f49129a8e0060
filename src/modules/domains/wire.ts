import { iso } from "../../kernel/clock.ts"
import type { Domain } from "./table.ts"

export const presentDomain = (domain: Domain) => ({
  id: domain.id,
  domain: domain.domain,
  verified: domain.verified,
  status: domain.verified ? "VERIFIED" : "PENDING",
  projectId: domain.projectId,
  createdAt: iso(domain.createdAt),
  updatedAt: iso(domain.updatedAt),
})
