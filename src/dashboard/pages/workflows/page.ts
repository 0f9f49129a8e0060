import { IconSitemap } from "@tabler/icons-react"
import type { Page } from "../../shell/page.ts"
import { onDemand } from "../../ui/on-demand.tsx"
import { openNewWorkflow } from "./open-new-workflow.ts"

export const workflowsPage: Page = {
  path: "/workflows",
  name: "Workflows",
  icon: IconSitemap,
  ...onDemand(() => import("./workflow-routes.tsx")),
  commands: () => [
    { group: "New", id: "new-workflow", label: "New workflow", icon: IconSitemap, run: openNewWorkflow },
  ],
}
