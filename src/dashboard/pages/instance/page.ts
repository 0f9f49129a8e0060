import { section } from "../../frame/sections.ts"
import type { Page } from "../../shell/page.ts"
import { onDemand } from "../../ui/on-demand.tsx"

export const instancePage: Page = {
  ...section.instance,
  ...onDemand(() => import("./instance-page.tsx")),
  offered: ({ user }) => user.type === "OWNER",
}
