import { IconUserCircle } from "@tabler/icons-react"
import { lazy } from "react"
import type { Page } from "../../shell/page.ts"

export const accountPage: Page = {
  path: "~/app/account",
  name: "Your account",
  icon: IconUserCircle,
  content: lazy(() => import("./account-page.tsx")),
  hidden: true,
  offered: ({ config }) => !config.sandbox,
}
