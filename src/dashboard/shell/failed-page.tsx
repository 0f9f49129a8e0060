import { useLocation } from "wouter"
import { PageHead } from "../parts/page-head.tsx"
import styles from "./failed-page.module.css"
import { isWithin, places } from "./nav-items.ts"
import { Gate } from "./status-screen.tsx"

/** Stands where a page could not be shown, in a shell that leads to the others. Trying again loads everything anew. */
export function FailedPage({ error }: { error: Error }) {
  const [location] = useLocation()
  const place = places.find(({ path }) => isWithin(location, path))
  return (
    <div className={styles.page}>
      <PageHead title={place?.name ?? "Mailstead"} />
      <Gate error={error} waiting={false} retry={() => window.location.reload()} />
    </div>
  )
}
