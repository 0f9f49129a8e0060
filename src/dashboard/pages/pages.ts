import { type section, sectionNames } from "../frame/sections.ts"
import type { Page } from "../shell/page.ts"
import type { EntryScreens } from "../shell/session-provider.tsx"
import { Waiting } from "../shell/status-screen.tsx"
import { lazy } from "../ui/on-demand.tsx"
import { accountPage } from "./account/page.ts"
import { activityPage } from "./activity/page.ts"
import { analyticsPage } from "./analytics/page.ts"
import { campaignsPage } from "./campaigns/page.ts"
import { contactsPage, fieldsPage } from "./contacts/page.tsx"
import { domainsPage } from "./domains/page.ts"
import { entryScreens } from "./entry/entry.tsx"
import { eventNamesPage, eventsPage } from "./events/page.ts"
import { homePage } from "./home/page.ts"
import { inboxPage } from "./inbox/page.ts"
import { instancePage } from "./instance/page.ts"
import { segmentsPage } from "./segments/page.ts"
import { settingsPage } from "./settings/page.ts"
import { templatesPage } from "./templates/page.ts"
import { workflowsPage } from "./workflows/page.ts"

/** The screens before there is a session with a project. */
export const screens: EntryScreens = {
  ...entryScreens,
  Instance: lazy(() => import("./instance/without-project.tsx"), Waiting),
}

const pageOf: Readonly<Record<keyof typeof section, Page>> = {
  home: homePage,
  inbox: inboxPage,
  activity: activityPage,
  contacts: contactsPage,
  segments: segmentsPage,
  events: eventsPage,
  campaigns: campaignsPage,
  workflows: workflowsPage,
  templates: templatesPage,
  analytics: analyticsPage,
  domains: domainsPage,
  fields: fieldsPage,
  eventNames: eventNamesPage,
  settings: settingsPage,
  account: accountPage,
  instance: instancePage,
}

/** The pages of the dashboard, in the order of the sections. The first one is the start page. */
export const pages: readonly Page[] = sectionNames.map((name) => pageOf[name])
