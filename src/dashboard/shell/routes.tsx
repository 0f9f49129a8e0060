import { Loader } from "@mantine/core"
import { Suspense } from "react"
import { Redirect, Route, Switch } from "wouter"
import type { Page } from "./page.ts"
import styles from "./routes.module.css"

/** Shows the page of the present address; the address is matched with the longest paths first. */
export function Routes({ pages }: { pages: readonly [Page, ...Page[]] }) {
  const longestFirst = pages.toSorted((one, other) => other.path.length - one.path.length)
  return (
    <Suspense fallback={<Loading />}>
      <Switch>
        {longestFirst.map(({ path, content: Content }) => (
          <Route key={path} path={`${path}/*?`}>
            <Content />
          </Route>
        ))}
        <Route>
          <Redirect to={pages[0].path} replace />
        </Route>
      </Switch>
    </Suspense>
  )
}

const Loading = () => (
  <main className={styles.loading} aria-busy="true">
    <Loader className={styles.dots ?? ""} color="gray" type="dots" aria-label="Loading" />
  </main>
)
