import { focusManager, useQuery, useQueryClient } from "@tanstack/react-query"
import { type ComponentType, type ReactNode, useCallback, useEffect, useState } from "react"
import { Route, Switch } from "wouter"
import type { User } from "../api/auth.ts"
import { ApiError, SignedOutError } from "../api/http.ts"
import type { Config } from "../api/instance.ts"
import { configQuery, projectsQuery, sessionEndKey, userQuery, useSessionHasEnded } from "../queries/session.ts"
import { lazyPart, useHasBeen } from "../ui/on-demand.tsx"
import { ProjectProvider } from "./project-provider.tsx"
import { StatusScreen } from "./status-screen.tsx"

const SessionEndDialog = lazyPart(() => import("./session-end.tsx"))

/** What is shown before there is a session with a project. */
export interface EntryScreens {
  /** Signs in on the current URL. */
  readonly SignedOut: ComponentType<{ config: Config; onSignedIn(): void }>
  /** The same over a page that may have unsaved changes. */
  readonly SignInAgain: ComponentType<{ user: User; onSignedIn(): void }>
  readonly Unconfirmed: ComponentType<{ user: User }>
  readonly FirstProject: ComponentType<{ user: User }>
  /** The account of a user without a project, at the address that it has for others. */
  readonly Account: ComponentType<{ config: Config; user: User }>
  /** The same of the pages about the server, for its owner. */
  readonly Instance: ComponentType
}

interface SessionProviderProps {
  screens: EntryScreens
  children: ReactNode
}

/** Loads the configuration, the signed-in user, and their projects; there is a screen for each that is missing. */
export function SessionProvider({ screens, children }: SessionProviderProps) {
  const client = useQueryClient()
  const config = useQuery(configQuery)
  const user = useQuery(userQuery)
  const isIn = user.data !== undefined
  const isConfirmed = isIn && (user.data.emailVerified || config.data?.features.systemMail.enabled === false)
  const projects = useQuery({ ...projectsQuery, enabled: isConfirmed })
  const enter = () => client.resetQueries()

  const failure = [config.error, user.error, projects.error].find((one) => one && !isEntry(one)) ?? null
  if (!config.data || (failure && !projects.data) || (user.isPending && !user.error))
    return (
      <StatusScreen
        error={failure}
        waiting={!failure}
        retry={() => Promise.all([config.refetch(), user.refetch(), projects.refetch()])}
      />
    )
  if (!isIn) return <screens.SignedOut config={config.data} onSignedIn={enter} />
  if (!isConfirmed || isUnconfirmed(projects.error)) return <screens.Unconfirmed user={user.data} />
  if (!projects.data) return <StatusScreen error={null} waiting retry={() => projects.refetch()} />
  if (projects.data.length === 0)
    return (
      <Switch>
        <Route path="/account">
          <screens.Account config={config.data} user={user.data} />
        </Route>
        {user.data.type === "OWNER" && (
          <Route path="/instance/*?">
            <screens.Instance />
          </Route>
        )}
        <Route>
          <screens.FirstProject user={user.data} />
        </Route>
      </Switch>
    )
  return (
    <ProjectProvider config={config.data} user={user.data} projects={projects.data}>
      {children}
      <SessionEnd user={user.data} screen={screens.SignInAgain} />
    </ProjectProvider>
  )
}

const isEntry = (error: Error): boolean => error instanceof SignedOutError || isUnconfirmed(error)
const isUnconfirmed = (error: Error | null): boolean =>
  error instanceof ApiError && error.code === "EMAIL_VERIFICATION_REQUIRED"

/** Signs in again over the page once its session has ended, so that unsaved changes stay. */
function SessionEnd({ user, screen: SignInAgain }: { user: User; screen: EntryScreens["SignInAgain"] }) {
  const client = useQueryClient()
  const hasEnded = useSessionHasEnded()
  const [shown] = useState(user)
  const continueAs = useCallback(async () => {
    // one that is under way may have begun without the session
    await client.cancelQueries({ queryKey: userQuery.queryKey })
    const now = await client.fetchQuery({ ...userQuery, staleTime: 0 })
    client.setQueryData(sessionEndKey, false)
    // the next user must not see the data of the previous one
    if (now.id !== shown.id) location.reload()
    else await client.invalidateQueries()
  }, [client, shown.id])
  // nothing is polled behind the dialog, as on a page that nobody looks at
  useEffect(() => {
    if (!hasEnded) return
    focusManager.setFocused(false)
    return () => focusManager.setFocused(undefined)
  }, [hasEnded])
  // somebody may have signed in again in another window, also before the last refusal came
  useEffect(() => {
    if (!hasEnded) return
    const look = () => {
      if (document.visibilityState === "visible") continueAs().catch(() => {})
    }
    look()
    document.addEventListener("visibilitychange", look)
    window.addEventListener("focus", look)
    return () => {
      document.removeEventListener("visibilitychange", look)
      window.removeEventListener("focus", look)
    }
  }, [hasEnded, continueAs])
  const wasEnded = useHasBeen(hasEnded)
  return (
    wasEnded && (
      <SessionEndDialog opened={hasEnded}>
        <SignInAgain user={user} onSignedIn={() => void continueAs().catch(() => location.reload())} />
      </SessionEndDialog>
    )
  )
}
