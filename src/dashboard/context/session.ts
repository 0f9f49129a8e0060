import { createContext, useContext } from "react"
import { useLocation } from "wouter"
import type { User } from "../api/auth.ts"
import type { Config, Project } from "../api/instance.ts"

/** The instance, the signed-in user, and the current project. Complete before any page is rendered. */
export interface Session {
  readonly config: Config
  readonly user: User
  /** Those of the user, last used first. */
  readonly projects: readonly Project[]
  readonly project: ProjectInView
  /** Shows the secret key of the current project for a while, or hides it. */
  showSecret(shown: boolean): void
}

export interface ProjectInView extends Project {
  /**
   * The secret key where it may be shown: always in the sandbox, otherwise for a while after the password was given.
   */
  readonly shownSecret: string | null
}

export const SessionContext = createContext<Session | null>(null)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error("useSession outside of SessionProvider")
  return session
}

/** Whether the user may change settings, keys and members of the current project (contract B8.4). */
export const mayManage = ({ role }: Pick<Project, "role">): boolean => role !== "MEMBER"

/** Whether nothing in the current project can be changed, because it is disabled (contract A1.5.4). */
export const useIsReadOnly = (): boolean => useSession().project.disabled

/** The address of a project, from wherever it is linked; pages are below it. */
export const addressOf = (projectId: string): string => `~/app/p/${projectId}`

/** Goes to the same page of another project, without the open item, which belongs to the present one. */
export function useSwitchProject(): (projectId: string) => void {
  const [location, go] = useLocation()
  return (projectId) => go(`${addressOf(projectId)}${/^\/[^/]*/.exec(location)?.[0] ?? ""}`)
}

/** Goes to another project, when the user no longer has access to the present one. */
export function useGoElsewhere(): () => void {
  const { project, projects } = useSession()
  const [, go] = useLocation()
  return () => {
    const other = projects.find(({ id }) => id !== project.id)
    go(other ? addressOf(other.id) : "~/app", { replace: true })
  }
}
