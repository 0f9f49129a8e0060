import { lazy, Suspense } from "react"
import { Redirect, Route, Switch } from "wouter"
import { InboxPage } from "./inbox/inbox-page.tsx"

// the page that one begins with is there at once, the others come when they are gone to
const ContactsPage = lazy(async () => ({ default: (await import("./contacts/contacts-page.tsx")).ContactsPage }))
const FieldsPage = lazy(async () => ({ default: (await import("./contacts/fields/fields-page.tsx")).FieldsPage }))
const TemplatesPage = lazy(async () => ({ default: (await import("./templates/templates-page.tsx")).TemplatesPage }))
const TemplatePage = lazy(async () => ({ default: (await import("./templates/template-page.tsx")).TemplatePage }))

/** Which page stands at which address. */
export function Pages() {
  return (
    <Suspense fallback={<main aria-busy="true" />}>
      <Switch>
        <Route path="/inbox/:id?">{({ id }) => <InboxPage openId={id} />}</Route>
        <Route path="/contacts/fields">
          <FieldsPage />
        </Route>
        <Route path="/contacts/:id?">{({ id }) => <ContactsPage openId={id} />}</Route>
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
