import { useDocumentTitle } from "@mantine/hooks"
import type { ComponentType } from "react"
import { Redirect, useLocation } from "wouter"
import { useSession } from "../../context/session.ts"
import { PageHead } from "../../parts/page-head.tsx"
import { lazy } from "../../ui/on-demand.tsx"
import { SectionsPage } from "../../ui/section.tsx"
import General from "./general.tsx"
import { tabsOf } from "./tabs.ts"

const contents: Record<ReturnType<typeof tabsOf>[number]["path"], ComponentType> = {
  "/settings": General,
  "/settings/keys": lazy(() => import("./keys.tsx")),
  "/settings/members": lazy(() => import("./members.tsx")),
  "/settings/audit": lazy(() => import("./audit.tsx")),
  "/settings/requests": lazy(() => import("./requests.tsx")),
  "/settings/danger": lazy(() => import("./danger.tsx")),
}

/** The settings of the current project. */
export default function SettingsPage() {
  const session = useSession()
  const [location] = useLocation()
  const tabs = tabsOf(session)
  const tab = tabs.find(({ path }) => path === location)
  useDocumentTitle(`${tab?.name ?? "Settings"} · ${session.project.name} · Mailstead`)
  if (!tab) return <Redirect to="/settings" replace />
  const Content = contents[tab.path]
  return (
    <SectionsPage>
      <PageHead
        title="Settings"
        summary={session.project.name}
        items={tabs.map(({ path, name }) => ({ path, name, current: path === location }))}
      />
      <Content key={session.project.id} />
    </SectionsPage>
  )
}
