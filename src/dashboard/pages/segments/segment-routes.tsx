import { Redirect, Route, Switch } from "wouter"
import { Loading } from "../../ui/loading.tsx"
import { lazy } from "../../ui/on-demand.tsx"
import SegmentsPage from "./segments-page.tsx"

const NewSegmentPage = lazy(() => import("./new-segment-page.tsx"), Loading)
const SegmentPage = lazy(() => import("./segment-page.tsx"), Loading)

/** The list of segments and, below it, each one in its editor. */
export default function SegmentRoutes() {
  return (
    <Switch>
      <Route path="/segments">
        <SegmentsPage />
      </Route>
      <Route path="/segments/new">
        <NewSegmentPage />
      </Route>
      <Route path="/segments/:id">{({ id }) => <SegmentPage key={id} id={id} />}</Route>
      <Route>
        <Redirect to="/segments" replace />
      </Route>
    </Switch>
  )
}
