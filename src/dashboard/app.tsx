import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core"
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { useState } from "react"
import { Route, Router, Switch } from "wouter"
import { ApiError, SignedOutError } from "./api/http.ts"
import { CommandsProvider } from "./context/commands.tsx"
import { type Deletions, DeletionsContext } from "./context/deletions.ts"
import { type LeaveGuard, LeaveGuardContext } from "./context/leave-guard.ts"
import { entryScreens, openPages } from "./pages/entry/entry.tsx"
import { pages } from "./pages/pages.ts"
import { ModalsHost } from "./shell/modals-host.tsx"
import { NotificationsHost } from "./shell/notifications-host.tsx"
import { PageProviders } from "./shell/page-providers.tsx"
import { SessionProvider, sessionEndKey } from "./shell/session-provider.tsx"
import { Shell } from "./shell/shell.tsx"
import { StatusScreen } from "./shell/status-screen.tsx"
import { surfaces, theme } from "./theme.ts"
import { ErrorBoundary } from "./ui/error-boundary.tsx"

/** The server may run on this machine, so requests are made even when the browser believes it is offline. */
const networkMode = "always"

/** Refusals (4xx) are final; only network failures and server errors are retried. */
const worthRetrying = (failures: number, error: Error): boolean =>
  failures < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500)

/** Without a session a query is refused also before the first sign-in; then the page shows that itself. */
function createClient(): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof SignedOutError && client.getQueryData(["user"])) client.setQueryData(sessionEndKey, true)
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: { queries: { retry: worthRetrying, networkMode }, mutations: { networkMode } },
  })
  return client
}

/** `guard` is already listening, so it handles a history step before the router. */
export function App({ guard, deletions }: { guard: LeaveGuard; deletions: Deletions }) {
  const [client] = useState(createClient)
  const [schemes] = useState(() => localStorageColorSchemeManager({ key: "mailstead.scheme" }))
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={surfaces}
      colorSchemeManager={schemes}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={client}>
        <NotificationsHost />
        <LeaveGuardContext value={guard}>
          <DeletionsContext value={deletions}>
            <ErrorBoundary
              fallback={(error) => <StatusScreen error={error} waiting={false} retry={() => location.reload()} />}
            >
              <Router base="/app" aroundNav={guard.around}>
                <Switch>
                  {Object.entries(openPages).map(([path, Page]) => (
                    <Route key={path} path={path}>
                      <Page />
                    </Route>
                  ))}
                  <Route>
                    <SessionProvider screens={entryScreens}>
                      <CommandsProvider>
                        <PageProviders pages={pages}>
                          <Shell pages={pages} />
                          <ModalsHost />
                        </PageProviders>
                      </CommandsProvider>
                    </SessionProvider>
                  </Route>
                </Switch>
              </Router>
            </ErrorBoundary>
          </DeletionsContext>
        </LeaveGuardContext>
      </QueryClientProvider>
    </MantineProvider>
  )
}
