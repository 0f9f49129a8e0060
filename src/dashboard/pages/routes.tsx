import { Loader } from "@mantine/core"
import { lazy, Suspense } from "react"
import { Redirect, Route, Switch } from "wouter"
import { InboxPage } from "./inbox/inbox-page.tsx"
import styles from "./routes.module.css"

// the page that one begins with is there at once, the others come when they are gone to
const ContactsPage = lazy(async () => ({ default: (await import("./contacts/contacts-page.tsx")).ContactsPage }))
const FieldsPage = lazy(async () => ({ default: (await import("./contacts/fields/fields-page.tsx")).FieldsPage }))
const SegmentsPage = lazy(async () => ({ default: (await import("./segments/segments-page.tsx")).SegmentsPage }))
const SegmentPage = lazy(async () => ({ default: (await import("./segments/segment-page.tsx")).SegmentPage }))
const NewSegmentPage = lazy(async () => ({
  default: (await import("./segments/new-segment-page.tsx")).NewSegmentPage,
}))
const EventsPage = lazy(async () => ({ default: (await import("./events/events-page.tsx")).EventsPage }))
const NamesPage = lazy(async () => ({ default: (await import("./events/names-page.tsx")).NamesPage }))
const CampaignsPage = lazy(async () => ({ default: (await import("./campaigns/campaigns-page.tsx")).CampaignsPage }))
const CampaignPage = lazy(async () => ({ default: (await import("./campaigns/campaign-page.tsx")).CampaignPage }))
const TemplatesPage = lazy(async () => ({ default: (await import("./templates/templates-page.tsx")).TemplatesPage }))
const TemplatePage = lazy(async () => ({ default: (await import("./templates/template-page.tsx")).TemplatePage }))

/** Which page stands at which address. */
export function Pages() {
  return (
    <Suspense fallback={<Coming />}>
      <Switch>
        <Route path="/inbox/:id?">{({ id }) => <InboxPage openId={id} />}</Route>
        <Route path="/contacts/fields">
          <FieldsPage />
        </Route>
        <Route path="/contacts/:id?">{({ id }) => <ContactsPage openId={id} />}</Route>
        <Route path="/segments">
          <SegmentsPage />
        </Route>
        <Route path="/segments/new">
          <NewSegmentPage />
        </Route>
        <Route path="/segments/:id">{({ id }) => <SegmentPage key={id} id={id} />}</Route>
        <Route path="/events/names">
          <NamesPage />
        </Route>
        <Route path="/events">
          <EventsPage />
        </Route>
        <Route path="/campaigns">
          <CampaignsPage />
        </Route>
        <Route path="/campaigns/:id">{({ id }) => <CampaignPage key={id} id={id} />}</Route>
        <Route path="/templates">
          <TemplatesPage />
        </Route>
        <Route path="/templates/:id">{({ id }) => <TemplatePage key={id} id={id} />}</Route>
        <Route>
          <Redirect to="/inbox" replace />
        </Route>
      </Switch>
    </Suspense>
  )
}

/** A page on its way. */
const Coming = () => (
  <main className={styles.coming} aria-busy="true">
    <Loader className={styles.sign ?? ""} color="gray" type="dots" aria-label="Loading" />
  </main>
)
