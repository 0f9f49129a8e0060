import { lazy } from "react"
import { Redirect, Route, Switch } from "wouter"
import { CampaignsPage } from "./campaigns-page.tsx"

const CampaignPage = lazy(() => import("./campaign-page.tsx"))

/** The list of campaigns and, below it, each one in its composer or as a report. */
export default function CampaignRoutes() {
  return (
    <Switch>
      <Route path="/campaigns">
        <CampaignsPage />
      </Route>
      <Route path="/campaigns/:id">{({ id }) => <CampaignPage key={id} id={id} />}</Route>
      <Route>
        <Redirect to="/campaigns" replace />
      </Route>
    </Switch>
  )
}
