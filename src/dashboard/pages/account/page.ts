import { IconUserCircle } from "@tabler/icons-react"
import type { Page } from "../../shell/page.ts"
import { onDemand } from "../../ui/on-demand.tsx"

export const accountPage: Page = {
  path: "~/app/account",
  name: "Your account",
  icon: IconUserCircle,
  ...onDemand(() => import("./account-page.tsx")),
  hidden: true,
  offered: ({ config }) => !config.sandbox,
}
