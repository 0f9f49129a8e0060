import { section } from "../../frame/sections.ts"
import type { Page } from "../../shell/page.ts"
import { onDemand } from "../../ui/on-demand.tsx"

export const analyticsPage: Page = {
  ...section.analytics,
  ...onDemand(() => import("./analytics-page.tsx")),
}
