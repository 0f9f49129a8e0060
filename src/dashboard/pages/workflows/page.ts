import { IconSitemap } from "@tabler/icons-react"
import { section } from "../../frame/sections.ts"
import type { Page } from "../../shell/page.ts"
import { onDemand } from "../../ui/on-demand.tsx"
import { openNewWorkflow } from "./open-new-workflow.ts"

export const workflowsPage: Page = {
  ...section.workflows,
  ...onDemand(() => import("./workflow-routes.tsx")),
  commands: () => [
    { group: "New", id: "new-workflow", label: "New workflow", icon: IconSitemap, run: openNewWorkflow },
  ],
}
