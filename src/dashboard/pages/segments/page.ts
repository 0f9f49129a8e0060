import { IconUsersPlus } from "@tabler/icons-react"
import { useLocation } from "wouter"
import type { Command } from "../../context/commands.tsx"
import { section } from "../../frame/sections.ts"
import type { Page } from "../../shell/page.ts"
import { onDemand } from "../../ui/on-demand.tsx"

export const segmentsPage: Page = {
  ...section.segments,
  ...onDemand(() => import("./segment-routes.tsx")),
  commands: useNewSegmentCommand,
}

function useNewSegmentCommand(): readonly Command[] {
  const [, go] = useLocation()
  return [
    { group: "New", id: "new-segment", label: "New segment", icon: IconUsersPlus, run: () => go("/segments/new") },
  ]
}
