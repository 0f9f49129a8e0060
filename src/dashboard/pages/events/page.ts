import { section } from "../../frame/sections.ts"
import type { Page } from "../../shell/page.ts"
import { onDemand } from "../../ui/on-demand.tsx"

export const eventsPage: Page = {
  ...section.events,
  ...onDemand(() => import("./events-page.tsx")),
}

export const eventNamesPage: Page = {
  ...section.eventNames,
  ...onDemand(() => import("./names-page.tsx")),
}
