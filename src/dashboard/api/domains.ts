import type { domainSchema } from "../../modules/domains/index.ts"
import { call, read } from "./http.ts"
import type { Wire } from "./types.ts"

/** Contract B6. */
export type Domain = Wire<typeof domainSchema>
export type DomainStatus = Domain["status"]
export type DnsRecord = Domain["records"][number]

export const listDomains = (projectId: string, signal?: AbortSignal): Promise<readonly Domain[]> =>
  read("/domains/project/current", { projectId, signal })

export const addDomain = (projectId: string, domain: string): Promise<Domain> =>
  read("/domains", { projectId, method: "POST", body: { domain } })

/** Looks its records up now. */
export const checkDomain = (projectId: string, id: string): Promise<Domain> =>
  read(`/domains/${encodeURIComponent(id)}/verify`, { projectId })

/** Makes new DKIM keys; the present ones sign until the records of the new ones are found. */
export const rotateDomainKey = (projectId: string, id: string): Promise<Domain> =>
  read(`/domains/${encodeURIComponent(id)}/rotate-key`, { projectId, method: "POST" })

export async function removeDomain(projectId: string, id: string): Promise<void> {
  await call(`/domains/${encodeURIComponent(id)}`, { projectId, method: "DELETE" })
}
