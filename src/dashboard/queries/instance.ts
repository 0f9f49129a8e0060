import { type QueryClient, useQuery } from "@tanstack/react-query"
import {
  getInstanceRetention,
  getInstanceSettings,
  listInstanceAlerts,
  listInstanceProjects,
  listInstanceTransports,
  runDoctor,
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

const alertsPollMs = 60_000

export const useInstanceAlerts = () =>
  useQuery({ queryKey: ["instance-alerts"], queryFn: listInstanceAlerts, refetchInterval: alertsPollMs })

/** The report is made when it is first shown, and again when somebody asks for it. */
export const useDoctor = () =>
  useQuery({ queryKey: ["instance-doctor"], queryFn: runDoctor, staleTime: Number.POSITIVE_INFINITY, retry: false })

/** After one was disabled or enabled, which its members see too. */
export async function refetchInstanceProjects(client: QueryClient): Promise<void> {
  await Promise.all([projectsKey, ["projects"]].map((queryKey) => client.invalidateQueries({ queryKey })))
}
