import { Redirect, Route, Switch, useLocation } from "wouter"
import { NoPage } from "./no-page.tsx"
import type { Page } from "./page.ts"

/** Shows the page of the current URL; longer paths are matched first. Without a path it is the first page. */
export function Routes({ pages }: { pages: readonly Page[] }) {
  const [location] = useLocation()
  const [start] = pages
  const longestFirst = pages.toSorted((one, other) => other.path.length - one.path.length)
  return (
    <Switch location={asPath(location)}>
      {longestFirst.map(({ path, content: Content }) => (
        <Route key={path} path={`${asPath(path)}/*?`}>
          <Content />
        </Route>
      ))}
      {start && (
        <Route path="/">
          <Redirect to={start.path} replace />
        </Route>
      )}
      {start && (
        <Route>
          <NoPage start={start} />
        </Route>
      )}
    </Switch>
  )
}

/** Patterns begin with a slash, which a URL without a project lacks. */
const asPath = (location: string): string => (location.startsWith("~") ? `/${location}` : location)
