import { section } from "../../frame/sections.ts"
import type { Page } from "../../shell/page.ts"
import { onDemand } from "../../ui/on-demand.tsx"

export const domainsPage: Page = {
  ...section.domains,
  ...onDemand(() => import("./domain-routes.tsx")),
}
