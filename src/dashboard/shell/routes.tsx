import { Redirect, Route, Switch, useLocation } from "wouter"
import type { Page } from "./page.ts"

/** Shows the page of the current URL; longer paths are matched first. */
export function Routes({ pages }: { pages: readonly Page[] }) {
  const [location] = useLocation()
  const longestFirst = pages.toSorted((one, other) => other.path.length - one.path.length)
  return (
    <Switch location={asPath(location)}>
      {longestFirst.map(({ path, content: Content }) => (
        <Route key={path} path={`${asPath(path)}/*?`}>
          <Content />
        </Route>
      ))}
      <Route>
        <Redirect to={pages[0]?.path ?? "/"} replace />
      </Route>
    </Switch>
  )
}

/** Patterns begin with a slash, which a URL without a project lacks. */
const asPath = (location: string): string => (location.startsWith("~") ? `/${location}` : location)
