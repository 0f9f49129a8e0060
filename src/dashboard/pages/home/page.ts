import { IconHome } from "@tabler/icons-react"
import type { Page } from "../../shell/page.ts"
import { onDemand } from "../../ui/on-demand.tsx"

/** The start page, except in the sandbox, which starts with the inbox. */
export const homePage: Page = {
  path: "/home",
  name: "Home",
  icon: IconHome,
  ...onDemand(() => import("./home-page.tsx")),
  offered: ({ config }) => !config.sandbox,
}
