import { useLocalStorage } from "@mantine/hooks"
import { useQuery } from "@tanstack/react-query"
import { createContext, type ReactNode, useContext, useMemo } from "react"
import { useLocation } from "wouter"
import { getConfig, listProjects } from "../api/emails.ts"
import { ApiError } from "../api/http.ts"
import type { Config, Project } from "../api/wire.ts"
import { useLeave } from "../context/leave-guard.ts"
import { Gate } from "./status-screen.tsx"

/** Who looks, and at what: set once the server has said it, so pages never see it half-known. */
export interface Session {
  readonly config: Config
  readonly projects: readonly Project[]
  readonly project: Project
  choose(projectId: string): void
}

const SessionContext = createContext<Session | null>(null)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error("useSession outside of SessionProvider")
  return session
}

/** Leaves for the same page of another project, without what is open: that belongs to the present one. */
export function useSwitchProject(): (projectId: string) => void {
  const { choose } = useSession()
  const [location, go] = useLocation()
  const leave = useLeave()
  return (projectId) =>
    leave(() => {
      choose(projectId)
      go(/^\/[^/]*/.exec(location)?.[0] ?? "/inbox")
    })
}

/** Asks for configuration and projects, remembers the chosen project in this browser. */
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

  const ended = projects.error instanceof ApiError && projects.error.status === 401
  if (session && !ended) return <SessionContext value={session}>{children}</SessionContext>
  const retry = () => Promise.all([config.refetch(), projects.refetch()])
  return <Gate error={config.error ?? projects.error} waiting={config.isPending || projects.isPending} retry={retry} />
}
