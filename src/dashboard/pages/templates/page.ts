import { IconFilePlus, IconTemplate } from "@tabler/icons-react"
import { lazy } from "react"
import type { Page } from "../../shell/page.ts"
import { openNewTemplate } from "./new-template.tsx"

export const templatesPage: Page = {
  path: "/templates",
  name: "Templates",
  icon: IconTemplate,
  content: lazy(() => import("./template-routes.tsx")),
  commands: () => [
    { group: "New", id: "new-template", label: "New template", icon: IconFilePlus, run: openNewTemplate },
  ],
}
