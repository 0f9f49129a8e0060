import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core"
import { ModalsProvider } from "@mantine/modals"
import { Notifications } from "@mantine/notifications"
import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { useState } from "react"
import { Router } from "wouter"
import { ApiError } from "./api/http.ts"
import { CommandsProvider } from "./context/commands.tsx"
import { type LeaveGuard, LeaveGuardContext } from "./context/leave-guard.ts"
import { pages } from "./pages/pages.ts"
import { PageProviders } from "./shell/page-providers.tsx"
import { SessionProvider } from "./shell/session-provider.tsx"
import { Shell } from "./shell/shell.tsx"
import { StatusScreen } from "./shell/status-screen.tsx"
import { surfaces, theme } from "./theme.ts"
import { ErrorBoundary } from "./ui/error-boundary.tsx"

/** The server may be on this very machine, which a browser that thinks itself offline does not know. */
const networkMode = "always"

/** A refusal stays one; only silence and failures of the server are worth asking again. */
const worthRetrying = (failures: number, error: Error): boolean =>
  failures < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500)

/** `guard` listens already: it hears of a step back before the router does. */
export function App({ guard }: { guard: LeaveGuard }) {
  const [client] = useState(
    () => new QueryClient({ defaultOptions: { queries: { retry: worthRetrying, networkMode } } }),
  )
  const [schemes] = useState(() => localStorageColorSchemeManager({ key: "mailstead.scheme" }))
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={surfaces}
      colorSchemeManager={schemes}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={client}>
        <Notifications position="bottom-center" limit={3} />
        <LeaveGuardContext value={guard}>
          <ErrorBoundary
            fallback={(error) => <StatusScreen error={error} waiting={false} retry={() => location.reload()} />}
          >
            <Router base="/app" aroundNav={guard.around}>
              <SessionProvider>
                <CommandsProvider>
                  <PageProviders pages={pages}>
                    <ModalsProvider>
                      <Shell pages={pages} />
                    </ModalsProvider>
                  </PageProviders>
                </CommandsProvider>
              </SessionProvider>
            </Router>
          </ErrorBoundary>
        </LeaveGuardContext>
      </QueryClientProvider>
    </MantineProvider>
  )
}
