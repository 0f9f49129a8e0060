import { IconHome } from "@tabler/icons-react"
import { lazy } from "react"
import type { Page } from "../../shell/page.ts"

/** The page that one starts on; the sandbox is about its inbox. */
export const homePage: Page = {
  path: "/home",
  name: "Home",
  icon: IconHome,
  content: lazy(() => import("./home-page.tsx")),
  offered: ({ config }) => !config.sandbox,
}
