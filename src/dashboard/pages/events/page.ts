import { IconBolt } from "@tabler/icons-react"
import type { Page } from "../../shell/page.ts"
import { onDemand } from "../../ui/on-demand.tsx"

export const eventsPage: Page = {
  path: "/events",
  name: "Events",
  icon: IconBolt,
  ...onDemand(() => import("./events-page.tsx")),
}

export const eventNamesPage: Page = {
  path: "/events/names",
  name: "Event names",
  icon: IconBolt,
  ...onDemand(() => import("./names-page.tsx")),
  hidden: true,
}
