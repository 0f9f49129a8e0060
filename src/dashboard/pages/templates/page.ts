import { IconFilePlus } from "@tabler/icons-react"
import { section } from "../../frame/sections.ts"
import type { Page } from "../../shell/page.ts"
import { onDemand } from "../../ui/on-demand.tsx"
import { openNewTemplate } from "./open-new-template.ts"

export const templatesPage: Page = {
  ...section.templates,
  ...onDemand(() => import("./template-routes.tsx")),
  commands: () => [
    { group: "New", id: "new-template", label: "New template", icon: IconFilePlus, run: openNewTemplate },
  ],
}
