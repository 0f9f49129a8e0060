import { type QueryClient, useQuery } from "@tanstack/react-query"
import { getInstanceSettings, listInstanceProjects } from "../api/instance.ts"

const projectsKey = ["instance-projects"]

/** All projects of the instance, the oldest first. */
export const useInstanceProjects = () => useQuery({ queryKey: projectsKey, queryFn: listInstanceProjects })

export const useInstanceSettings = () => useQuery({ queryKey: ["instance-settings"], queryFn: getInstanceSettings })

/** After one was disabled or enabled, which its members see too. */
export async function refetchInstanceProjects(client: QueryClient): Promise<void> {
  await Promise.all([projectsKey, ["projects"]].map((queryKey) => client.invalidateQueries({ queryKey })))
}
