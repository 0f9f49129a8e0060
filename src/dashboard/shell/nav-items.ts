import {
  type Icon,
  IconBolt,
  IconInbox,
  IconSpeakerphone,
  IconTemplate,
  IconUsers,
  IconUsersGroup,
} from "@tabler/icons-react"

export interface Place {
  readonly path: string
  readonly name: string
  readonly icon: Icon
}

/** The pages of the dashboard, in the order of the navigation. */
export const places: readonly Place[] = [
  { path: "/inbox", name: "Inbox", icon: IconInbox },
  { path: "/contacts", name: "Contacts", icon: IconUsers },
  { path: "/segments", name: "Segments", icon: IconUsersGroup },
  { path: "/events", name: "Events", icon: IconBolt },
  { path: "/campaigns", name: "Campaigns", icon: IconSpeakerphone },
  { path: "/templates", name: "Templates", icon: IconTemplate },
]

export const isWithin = (location: string, path: string): boolean =>
  location === path || location.startsWith(`${path}/`) || location.startsWith(`${path}?`)
