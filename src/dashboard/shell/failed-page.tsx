import { useLocation } from "wouter"
import { isWithin, type Section } from "../frame/sections.ts"
import { PageHead } from "../parts/page-head.tsx"
import styles from "./failed-page.module.css"
import { StatusScreen } from "./status-screen.tsx"

/** Replaces a page that could not be shown; the navigation still works. Trying again reloads everything. */
export function FailedPage({ error, items }: { error: Error; items: readonly Section[] }) {
  const [location] = useLocation()
  const item = items.find(({ path }) => isWithin(location, path))
  return (
    <div className={styles.page}>
      <PageHead title={item?.name ?? "Mailstead"} />
      <StatusScreen error={error} waiting={false} retry={() => window.location.reload()} />
    </div>
  )
}
