import { section } from "../../frame/sections.ts"
import type { Page } from "../../shell/page.ts"
import { onDemand } from "../../ui/on-demand.tsx"

export const accountPage: Page = {
  ...section.account,
  ...onDemand(() => import("./account-page.tsx")),
}
