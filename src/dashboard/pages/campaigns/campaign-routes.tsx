import { Redirect, Route, Switch } from "wouter"
import { Loading } from "../../ui/loading.tsx"
import { lazy } from "../../ui/on-demand.tsx"
import { CampaignsPage } from "./campaigns-page.tsx"

const CampaignPage = lazy(() => import("./campaign-page.tsx"), Loading)

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
