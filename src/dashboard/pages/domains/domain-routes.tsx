import { Redirect, Route, Switch } from "wouter"
import { DomainPage } from "./domain-page.tsx"
import { DomainsPage } from "./domains-page.tsx"
import { ReputationPage } from "./reputation-page.tsx"

/** The list of sender domains, each domain with its records, and the reputation of the project. */
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
