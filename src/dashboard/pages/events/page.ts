import { IconBolt } from "@tabler/icons-react"
import { lazy } from "react"
import type { Page } from "../../shell/page.ts"

export const eventsPage: Page = {
  path: "/events",
  name: "Events",
  icon: IconBolt,
  content: lazy(() => import("./events-page.tsx")),
}

export const eventNamesPage: Page = {
  path: "/events/names",
  name: "Event names",
  icon: IconBolt,
  content: lazy(() => import("./names-page.tsx")),
  hidden: true,
}
