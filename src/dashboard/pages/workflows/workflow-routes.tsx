import { Redirect, Route, Switch } from "wouter"
import { Loading } from "../../ui/loading.tsx"
import { lazy } from "../../ui/on-demand.tsx"
import { WorkflowsPage } from "./workflows-page.tsx"

const WorkflowPage = lazy(() => import("./workflow-page.tsx"), Loading)
const ExecutionsPage = lazy(() => import("./executions/executions-page.tsx"), Loading)

/** The list of workflows and, below it, each one in its editor, with its executions. */
export default function WorkflowRoutes() {
  return (
    <Switch>
      <Route path="/workflows">
        <WorkflowsPage />
      </Route>
      <Route path="/workflows/:id">{({ id }) => <WorkflowPage key={id} id={id} />}</Route>
      <Route path="/workflows/:id/executions/:executionId?">
        {({ id, executionId }) => <ExecutionsPage key={id} id={id} executionId={executionId} />}
      </Route>
      <Route>
        <Redirect to="/workflows" replace />
      </Route>
    </Switch>
  )
}
