import { Redirect, Route, Switch } from "wouter"
import { DomainPage } from "./domain-page.tsx"
import { DomainsPage } from "./domains-page.tsx"
import { ReputationPage } from "./reputation-page.tsx"

/** The list of sender domains, each one with its records, and what comes back of the mail that they send. */
export default function DomainRoutes() {
  return (
    <Switch>
      <Route path="/domains">
        <DomainsPage />
      </Route>
      <Route path="/domains/reputation">
        <ReputationPage />
      </Route>
      <Route path="/domains/:id">{({ id }) => <DomainPage key={id} id={id} />}</Route>
      <Route>
        <Redirect to="/domains" replace />
      </Route>
    </Switch>
  )
}
