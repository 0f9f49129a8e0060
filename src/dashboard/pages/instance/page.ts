import { IconServer } from "@tabler/icons-react"
import type { Page } from "../../shell/page.ts"
import { onDemand } from "../../ui/on-demand.tsx"
import { instancePath } from "./tabs.ts"

export const instancePage: Page = {
  path: instancePath,
  name: "This server",
  icon: IconServer,
  ...onDemand(() => import("./instance-page.tsx")),
  hidden: true,
  offered: ({ config, user }) => !config.sandbox && user.type === "OWNER",
}
