import { section } from "../../frame/sections.ts"
import type { Page } from "../../shell/page.ts"
import { onDemand } from "../../ui/on-demand.tsx"

export const homePage: Page = {
  ...section.home,
  ...onDemand(() => import("./home-page.tsx")),
}
