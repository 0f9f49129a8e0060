import { IconSettings } from "@tabler/icons-react"
import { useLocation } from "wouter"
import type { Command } from "../../context/commands.tsx"
import { useSession } from "../../context/session.ts"
import { section } from "../../frame/sections.ts"
import type { Page } from "../../shell/page.ts"
import { onDemand } from "../../ui/on-demand.tsx"
import { tabsOf } from "./tabs.ts"

export const settingsPage: Page = {
  ...section.settings,
  ...onDemand(() => import("./settings-page.tsx")),
  commands: useSettingsCommands,
}

function useSettingsCommands(): readonly Command[] {
  const session = useSession()
  const [, go] = useLocation()
  return tabsOf(session)
    .slice(1)
    .map(({ path, name }) => ({
      group: "Go to",
      id: `go-${path}`,
      label: `Go to settings: ${name}`,
      icon: IconSettings,
      run: () => go(path),
    }))
}
