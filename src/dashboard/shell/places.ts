import { type Icon, IconInbox, IconTemplate, IconUsers } from "@tabler/icons-react"

export interface Place {
  readonly path: string
  readonly name: string
  readonly icon: Icon
}

/** The pages of the dashboard, in the order of the navigation. */
export const places: readonly Place[] = [
  { path: "/inbox", name: "Inbox", icon: IconInbox },
  { path: "/contacts", name: "Contacts", icon: IconUsers },
  { path: "/templates", name: "Templates", icon: IconTemplate },
]

export const isWithin = (location: string, path: string): boolean =>
  location === path || location.startsWith(`${path}/`) || location.startsWith(`${path}?`)
