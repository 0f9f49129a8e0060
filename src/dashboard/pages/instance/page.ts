import { IconServer } from "@tabler/icons-react"
import { lazy } from "react"
import type { Page } from "../../shell/page.ts"
import { instancePath } from "./tabs.ts"

export const instancePage: Page = {
  path: instancePath,
  name: "This server",
  icon: IconServer,
  content: lazy(() => import("./instance-page.tsx")),
  hidden: true,
  offered: ({ config, user }) => !config.sandbox && user.type === "OWNER",
}
