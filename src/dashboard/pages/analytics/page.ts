import { IconChartLine } from "@tabler/icons-react"
import type { Page } from "../../shell/page.ts"
import { onDemand } from "../../ui/on-demand.tsx"

export const analyticsPage: Page = {
  path: "/analytics",
  name: "Analytics",
  icon: IconChartLine,
  ...onDemand(() => import("./analytics-page.tsx")),
}
