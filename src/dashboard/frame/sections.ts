import type { Icon } from "@tabler/icons-react"
import IconActivity from "@tabler/icons-react/dist/esm/icons/IconActivity.mjs"
import IconBolt from "@tabler/icons-react/dist/esm/icons/IconBolt.mjs"
import IconChartLine from "@tabler/icons-react/dist/esm/icons/IconChartLine.mjs"
import IconForms from "@tabler/icons-react/dist/esm/icons/IconForms.mjs"
import IconHome from "@tabler/icons-react/dist/esm/icons/IconHome.mjs"
import IconInbox from "@tabler/icons-react/dist/esm/icons/IconInbox.mjs"
import IconServer from "@tabler/icons-react/dist/esm/icons/IconServer.mjs"
import IconSettings from "@tabler/icons-react/dist/esm/icons/IconSettings.mjs"
import IconSitemap from "@tabler/icons-react/dist/esm/icons/IconSitemap.mjs"
import IconSpeakerphone from "@tabler/icons-react/dist/esm/icons/IconSpeakerphone.mjs"
import IconTemplate from "@tabler/icons-react/dist/esm/icons/IconTemplate.mjs"
import IconUserCircle from "@tabler/icons-react/dist/esm/icons/IconUserCircle.mjs"
import IconUsers from "@tabler/icons-react/dist/esm/icons/IconUsers.mjs"
import IconUsersGroup from "@tabler/icons-react/dist/esm/icons/IconUsersGroup.mjs"
import IconWorld from "@tabler/icons-react/dist/esm/icons/IconWorld.mjs"

/** The facts about a page for the navigation and the frame of the first view. */
export interface Section {
  /**
   * Relative to the project; to `~/app` for a page without a project. Paths below it belong to the page too, unless
   * another page has them.
   */
  readonly path: string
  readonly name: string
  readonly icon: Icon
  /** Its first heading, and that of its items until their names are known; the name when absent. */
  readonly heading?: string
  /** Pages below it that begin with the bar of an editor, by their path, and their heading for screen readers. */
  readonly editors?: Readonly<Record<string, string>>
  /** The heading is the name of the project. */
  readonly headedByProject?: boolean
  /** Nothing comes below or beside the heading. */
  readonly withoutSummary?: boolean
  /** Reached from another page and from the palette, but not listed in the navigation. */
  readonly hidden?: boolean
  /** The sandbox does not have it. */
  readonly serverOnly?: boolean
}

const all = {
  /** The start page, except in the sandbox, which starts with the inbox. */
  home: { path: "/home", name: "Home", icon: IconHome, headedByProject: true, withoutSummary: true, serverOnly: true },
  inbox: { path: "/inbox", name: "Inbox", icon: IconInbox },
  activity: { path: "/activity", name: "Activity", icon: IconActivity },
  contacts: { path: "/contacts", name: "Contacts", icon: IconUsers },
  segments: { path: "/segments", name: "Segments", icon: IconUsersGroup, editors: { "/segments/new": "New segment" } },
  events: { path: "/events", name: "Events", icon: IconBolt },
  campaigns: { path: "/campaigns", name: "Campaigns", icon: IconSpeakerphone },
  workflows: { path: "/workflows", name: "Workflows", icon: IconSitemap },
  templates: { path: "/templates", name: "Templates", icon: IconTemplate },
  analytics: { path: "/analytics", name: "Analytics", icon: IconChartLine, withoutSummary: true },
  domains: { path: "/domains", name: "Domains", icon: IconWorld },
  fields: { path: "/contacts/fields", name: "Contact fields", heading: "Contacts", icon: IconForms, hidden: true },
  eventNames: { path: "/events/names", name: "Event names", heading: "Events", icon: IconBolt, hidden: true },
  settings: { path: "/settings", name: "Settings", icon: IconSettings },
  account: { path: "~/app/account", name: "Your account", icon: IconUserCircle, hidden: true, serverOnly: true },
  instance: { path: "~/app/instance", name: "This server", icon: IconServer, hidden: true, serverOnly: true },
} as const satisfies Record<string, Section>

/** By name, for the pages themselves. */
export const section: Readonly<Record<keyof typeof all, Section>> = all

export const sectionNames = Object.keys(all) as readonly (keyof typeof all)[]

/** The sections of the dashboard, in the order of the navigation. The first that is offered is the start page. */
export const sections: readonly Section[] = Object.values(all)

/** The pages that are open to everybody, and have no frame. */
export const openPaths = ["/setup", "/sign-up", "/forgot", "/reset", "/verify"] as const

/** What an address of the browser leads to; undefined where the address says too little. */
export function sectionAt<S extends Section>(among: readonly S[], pathname: string): S | undefined {
  const location = pathname.replace(/^\/app(\/p\/[^/]+)?/, "")
  const candidates = among.filter(({ path }) => isWithin(location, path.replace(/^~\/app/, "")))
  return candidates.toSorted((one, other) => other.path.length - one.path.length)[0]
}

export const isWithin = (location: string, path: string): boolean =>
  location === path || location.startsWith(`${path}/`) || location.startsWith(`${path}?`)
