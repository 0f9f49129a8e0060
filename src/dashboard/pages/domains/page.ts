import { IconWorld } from "@tabler/icons-react"
import type { Page } from "../../shell/page.ts"
import { onDemand } from "../../ui/on-demand.tsx"

export const domainsPage: Page = {
  path: "/domains",
  name: "Domains",
  icon: IconWorld,
  ...onDemand(() => import("./domain-routes.tsx")),
}
