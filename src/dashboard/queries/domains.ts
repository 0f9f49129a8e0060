import { type QueryClient, useQuery } from "@tanstack/react-query"
import { type Domain, listDomains } from "../api/domains.ts"
import { useSession } from "../context/session.ts"

const domainsKey = (projectId: string) => ["domains", projectId]

/** The server looks for the records by itself; what it finds is shown soon after. */
const pollMs = 15_000

const domainsOf = (projectId: string) => ({
  queryKey: domainsKey(projectId),
  queryFn: ({ signal }: { signal: AbortSignal }) => listDomains(projectId, signal),
  refetchInterval: pollMs,
})

/** The sender domains of the project in view, the newest first. */
export const useDomains = () => useQuery(domainsOf(useSession().project.id))

/** A domain that a project may send from, the oldest; undefined until there is one, and when it is not asked for. */
export function useVerifiedDomain(projectId: string, enabled: boolean): string | undefined {
  const { data } = useQuery({ ...domainsOf(projectId), enabled })
  return data?.findLast(({ verified }) => verified)?.domain
}

export function cacheDomain(client: QueryClient, projectId: string, domain: Domain): void {
  client.setQueryData<readonly Domain[]>(domainsKey(projectId), (all = []) =>
    all.some(({ id }) => id === domain.id)
      ? all.map((known) => (known.id === domain.id ? domain : known))
      : [domain, ...all],
  )
}

export function dropDomain(client: QueryClient, projectId: string, domainId: string): void {
  client.setQueryData<readonly Domain[]>(domainsKey(projectId), (all) => all?.filter(({ id }) => id !== domainId))
}
