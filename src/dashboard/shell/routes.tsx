import { Loader } from "@mantine/core"
import { Suspense } from "react"
import { Redirect, Route, Switch, useLocation } from "wouter"
import type { Page } from "./page.ts"
import styles from "./routes.module.css"

/** Shows the page of the present address; the address is matched with the longest paths first. */
export function Routes({ pages }: { pages: readonly Page[] }) {
  const [location] = useLocation()
  const longestFirst = pages.toSorted((one, other) => other.path.length - one.path.length)
  return (
    <Suspense fallback={<Loading />}>
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
    </Suspense>
  )
}

/** Patterns begin with a slash, which an address of no project has not. */
const asPath = (location: string): string => (location.startsWith("~") ? `/${location}` : location)

const Loading = () => (
  <main className={styles.loading} aria-busy="true">
    <Loader className={styles.dots ?? ""} color="gray" type="dots" aria-label="Loading" />
  </main>
)
