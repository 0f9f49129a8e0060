import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core"
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { useLayoutEffect, useState } from "react"
import { Route, Router, Switch } from "wouter"
import { CommandsProvider } from "./context/commands.tsx"
import { type Deletions, DeletionsContext } from "./context/deletions.ts"
import { type LeaveGuard, LeaveGuardContext } from "./context/leave-guard.ts"
import { openPages } from "./pages/entry/entry.tsx"
import { pages, screens } from "./pages/pages.ts"
import { ModalsHost } from "./shell/modals-host.tsx"
import { NotificationsHost } from "./shell/notifications-host.tsx"
import { PageProviders } from "./shell/page-providers.tsx"
import { SessionProvider } from "./shell/session-provider.tsx"
import { Shell } from "./shell/shell.tsx"
import { StatusScreen } from "./shell/status-screen.tsx"
import { theme } from "./theme.ts"
import { ErrorBoundary } from "./ui/error-boundary.tsx"

/** The element with the frame that the server has made. */
export const frameId = "frame"

interface AppProps {
  client: QueryClient
  guard: LeaveGuard
  deletions: Deletions
}

/** `guard` is already listening, so it handles a history step before the router. */
export function App({ client, guard, deletions }: AppProps) {
  // In the same step as this is shown.
  useLayoutEffect(() => document.getElementById(frameId)?.remove(), [])
  const [schemes] = useState(() => localStorageColorSchemeManager({ key: "mailstead.scheme" }))
  return (
    <MantineProvider theme={theme} colorSchemeManager={schemes} defaultColorScheme="auto">
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
                    <SessionProvider screens={screens}>
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
