import { Redirect, Route, Switch } from "wouter"
import { DomainPage } from "./domain-page.tsx"
import { DomainsPage } from "./domains-page.tsx"

/** The list of sender domains and, below it, each one with its records. */
export default function DomainRoutes() {
  return (
    <Switch>
      <Route path="/domains">
        <DomainsPage />
      </Route>
      <Route path="/domains/:id">{({ id }) => <DomainPage key={id} id={id} />}</Route>
      <Route>
        <Redirect to="/domains" replace />
      </Route>
    </Switch>
  )
}
