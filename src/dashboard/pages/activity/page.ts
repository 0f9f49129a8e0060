import { section } from "../../frame/sections.ts"
import type { Page } from "../../shell/page.ts"
import { onDemand } from "../../ui/on-demand.tsx"

export const activityPage: Page = {
  ...section.activity,
  ...onDemand(() => import("./activity-page.tsx")),
}
