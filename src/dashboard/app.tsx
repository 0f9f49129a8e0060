import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core"
import { ModalsProvider } from "@mantine/modals"
import { Notifications } from "@mantine/notifications"
import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { useState } from "react"
import { Redirect, Route, Router, Switch } from "wouter"
import { ApiError } from "./api.ts"
import { InboxPage } from "./pages/inbox/inbox-page.tsx"
import { CommandsProvider } from "./shell/commands.tsx"
import { Gate } from "./shell/gate.tsx"
import { SessionProvider } from "./shell/session.tsx"
import { Shell } from "./shell/shell.tsx"
import { surfaces, theme } from "./theme.ts"
import { ErrorBoundary } from "./ui/error-boundary.tsx"

/** A refusal stays one; only silence and failures of the server are worth asking again. */
const worthRetrying = (failures: number, error: Error): boolean =>
  failures < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500)

export function App() {
  const [client] = useState(() => new QueryClient({ defaultOptions: { queries: { retry: worthRetrying } } }))
  const [schemes] = useState(() => localStorageColorSchemeManager({ key: "posthorn.scheme" }))
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={surfaces}
      colorSchemeManager={schemes}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={client}>
        <Notifications position="bottom-center" limit={3} />
        <ModalsProvider>
          <ErrorBoundary fallback={(error) => <Gate error={error} waiting={false} retry={() => location.reload()} />}>
            <Router base="/app">
              <SessionProvider>
                <CommandsProvider>
                  <Shell>
                    <Switch>
                      <Route path="/inbox/:id?">{({ id }) => <InboxPage openId={id} />}</Route>
                      <Route>
                        <Redirect to="/inbox" replace />
                      </Route>
                    </Switch>
                  </Shell>
                </CommandsProvider>
              </SessionProvider>
            </Router>
          </ErrorBoundary>
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>
  )
}
