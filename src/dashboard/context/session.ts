import { createContext, useContext } from "react"
import { useLocation } from "wouter"
import type { Config, Project } from "../api/instance.ts"
import { useLeave } from "./leave-guard.ts"

/** The instance and the project in view. Set once the server has answered, so that pages never see it incomplete. */
export interface Session {
  readonly config: Config
  readonly projects: readonly Project[]
  readonly project: Project
  choose(projectId: string): void
}

export const SessionContext = createContext<Session | null>(null)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error("useSession outside of SessionProvider")
  return session
}

/** Goes to the same page of another project, without what is open: that belongs to the present one. */
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
