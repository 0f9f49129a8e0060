import { type ReactNode, useEffect, useMemo, useState } from "react"
import { Redirect, Router, useLocation, useSearch } from "wouter"
import type { User } from "../api/auth.ts"
import type { Config, Project } from "../api/instance.ts"
import { passwordHoldsMs } from "../context/password-given.ts"
import { byRecency, useRecentProjects } from "../context/recent-projects.ts"
import { type ProjectInView, type Session, SessionContext } from "../context/session.ts"
import { NoAccess } from "./no-access.tsx"

interface ProjectProviderProps {
  config: Config
  user: User
  /** At least one. */
  projects: readonly Project[]
  children: ReactNode
}

/** Addresses that belong to no project. */
const beyondProjects = /^\/(account|instance)(\/|$)/

/**
 * The URL contains the current project (`/app/p/<id>/...`), so that members can share it; one without a project leads
 * to the last used project. Pages see the path relative to their project.
 */
export function ProjectProvider({ config, user, projects, children }: ProjectProviderProps) {
  const [location] = useLocation()
  const search = useSearch()
  const { recent, use } = useRecentProjects()
  const named = /^\/p\/([^/]+)/.exec(location)?.[1]
  const sorted = useMemo(() => byRecency(projects, recent), [projects, recent])
  const chosen = named === undefined ? sorted[0] : projects.find(({ id }) => id === named)
  const id = chosen?.id
  useEffect(() => {
    if (id !== undefined && id === named) use(id)
  }, [id, named, use])

  /** The project whose secret key is shown. The key itself may change, and so may the right to see it. */
  const [shown, setShown] = useState<{ readonly id: string } | null>(null)
  useEffect(() => {
    if (!shown) return
    const timer = setTimeout(() => setShown(null), passwordHoldsMs)
    return () => clearTimeout(timer)
  }, [shown])

  const session = useMemo((): Session | null => {
    if (!chosen) return null
    const shownSecret = config.sandbox || shown?.id === chosen.id ? chosen.secret : null
    const project: ProjectInView = { ...chosen, shownSecret }
    const showSecret = (isShown: boolean) => setShown(isShown ? { id: chosen.id } : null)
    return { config, user, projects: sorted, project, showSecret }
  }, [config, user, sorted, chosen, shown])

  if (!session) return <NoAccess user={user} fallback={sorted[0]} />
  const base = `/p/${session.project.id}`
  if (named === undefined && !beyondProjects.test(location)) {
    const query = search === "" ? "" : `?${window.location.search.slice(1)}`
    return <Redirect to={`${base}${location === "/" ? "" : location}${query}`} replace />
  }
  return (
    <SessionContext value={session}>
      <Router base={base}>{children}</Router>
    </SessionContext>
  )
}
