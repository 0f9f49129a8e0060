import { useLocalStorage } from "@mantine/hooks"
import { useQuery } from "@tanstack/react-query"
import { type ReactNode, useMemo } from "react"
import { ApiError } from "../api/http.ts"
import { getConfig, listProjects } from "../api/instance.ts"
import { type Session, SessionContext } from "../context/session.ts"
import { StatusScreen } from "./status-screen.tsx"

/** Loads the configuration and the projects, and remembers the chosen project in this browser. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const config = useQuery({ queryKey: ["config"], queryFn: getConfig, staleTime: Number.POSITIVE_INFINITY })
  const projects = useQuery({ queryKey: ["projects"], queryFn: listProjects })
  const [chosen, choose] = useLocalStorage({
    key: "mailstead.project",
    defaultValue: "",
    getInitialValueInEffect: false,
  })

  const session = useMemo((): Session | null => {
    const project = projects.data?.find(({ id }) => id === chosen) ?? projects.data?.[0]
    return config.data && projects.data && project
      ? { config: config.data, projects: projects.data, project, choose }
      : null
  }, [config.data, projects.data, chosen, choose])

  const hasEnded = projects.error instanceof ApiError && projects.error.status === 401
  if (session && !hasEnded) return <SessionContext value={session}>{children}</SessionContext>
  return (
    <StatusScreen
      error={config.error ?? projects.error}
      waiting={config.isPending || projects.isPending}
      retry={() => Promise.all([config.refetch(), projects.refetch()])}
    />
  )
}
