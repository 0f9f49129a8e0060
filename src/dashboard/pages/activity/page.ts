import { IconActivity } from "@tabler/icons-react"
import type { Page } from "../../shell/page.ts"
import { onDemand } from "../../ui/on-demand.tsx"

export const activityPage: Page = {
  path: "/activity",
  name: "Activity",
  icon: IconActivity,
  ...onDemand(() => import("./activity-page.tsx")),
}
