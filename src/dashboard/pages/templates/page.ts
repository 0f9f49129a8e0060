import { IconFilePlus, IconTemplate } from "@tabler/icons-react"
import type { Page } from "../../shell/page.ts"
import { onDemand } from "../../ui/on-demand.tsx"
import { openNewTemplate } from "./open-new-template.ts"

export const templatesPage: Page = {
  path: "/templates",
  name: "Templates",
  icon: IconTemplate,
  ...onDemand(() => import("./template-routes.tsx")),
  commands: () => [
    { group: "New", id: "new-template", label: "New template", icon: IconFilePlus, run: openNewTemplate },
  ],
}
