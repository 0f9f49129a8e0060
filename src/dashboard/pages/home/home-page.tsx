import { useDocumentTitle } from "@mantine/hooks"
import { Link } from "wouter"
import { everyEvent } from "../../api/events.ts"
import { useSession } from "../../context/session.ts"
import { EventList } from "../../parts/events/event-list.tsx"
import { PageHead } from "../../parts/page-head.tsx"
import { useEvents } from "../../queries/events.ts"
import { Notice } from "../../ui/empty-state.tsx"
import { SectionsPage } from "../../ui/section.tsx"
import styles from "./home-page.module.css"
import { NextSteps } from "./next-steps.tsx"

const mostEvents = 12

/** The next steps of a new project, and the recent events of any project. */
export default function HomePage() {
  const { project } = useSession()
  useDocumentTitle(`${project.name} · Mailstead`)
  return (
    <SectionsPage>
      <PageHead title={project.name} />
      <div className={styles.scroll}>
        <div className={styles.content}>
          <NextSteps />
          <Lately />
        </div>
      </div>
    </SectionsPage>
  )
}

function Lately() {
  const { query, events } = useEvents(everyEvent)
  if (query.isError && events.length === 0)
    return <Notice failed text={query.error.message} action="Try again" onAction={() => void query.refetch()} />
  if (events.length === 0) return null
  return (
    <section className={styles.lately} aria-label="What happened">
      <header className={styles.head}>
        <h2 className={styles.title}>What happened</h2>
        <Link href="/events" className={styles.all ?? ""}>
          All events
        </Link>
      </header>
      <EventList events={events.slice(0, mostEvents)} label="Events" />
    </section>
  )
}
