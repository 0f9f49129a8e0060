import { Redirect, Route, Switch } from "wouter"
import { Loading } from "../../ui/loading.tsx"
import { lazy } from "../../ui/on-demand.tsx"
import { TemplatesPage } from "./templates-page.tsx"

const TemplatePage = lazy(() => import("./template-page.tsx"), Loading)

/** The list of templates and, below it, each one in its editor. */
export default function TemplateRoutes() {
  return (
    <Switch>
      <Route path="/templates">
        <TemplatesPage />
      </Route>
      <Route path="/templates/:id">{({ id }) => <TemplatePage key={id} id={id} />}</Route>
      <Route>
        <Redirect to="/templates" replace />
      </Route>
    </Switch>
  )
}
