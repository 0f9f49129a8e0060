import { type QueryClient, useQuery } from "@tanstack/react-query"
import {
  getInstanceRetention,
  getInstanceSettings,
  listInstanceProjects,
  listInstanceTransports,
} from "../api/instance.ts"

const projectsKey = ["instance-projects"]

/** All projects of the instance, the oldest first. */
export const useInstanceProjects = () => useQuery({ queryKey: projectsKey, queryFn: listInstanceProjects })

export const useInstanceSettings = () => useQuery({ queryKey: ["instance-settings"], queryFn: getInstanceSettings })

export const useInstanceRetention = () => useQuery({ queryKey: ["instance-retention"], queryFn: getInstanceRetention })

const transportsPollMs = 10_000

/** The transports with their last hour, read again while they are shown. */
export const useInstanceTransports = () =>
  useQuery({
    queryKey: ["instance-transports"],
    queryFn: listInstanceTransports,
    refetchInterval: transportsPollMs,
  })

/** After one was disabled or enabled, which its members see too. */
export async function refetchInstanceProjects(client: QueryClient): Promise<void> {
  await Promise.all([projectsKey, ["projects"]].map((queryKey) => client.invalidateQueries({ queryKey })))
}
