import { IconWorld } from "@tabler/icons-react"
import { lazy } from "react"
import type { Page } from "../../shell/page.ts"

export const domainsPage: Page = {
  path: "/domains",
  name: "Domains",
  icon: IconWorld,
  content: lazy(() => import("./domain-routes.tsx")),
}
