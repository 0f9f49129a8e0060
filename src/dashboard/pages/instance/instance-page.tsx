import { useDocumentTitle } from "@mantine/hooks"
import type { ComponentType } from "react"
import { Redirect, useLocation } from "wouter"
import { PageHead } from "../../parts/page-head.tsx"
import { useConfig } from "../../queries/session.ts"
import { lazy } from "../../ui/on-demand.tsx"
import { SectionsPage } from "../../ui/section.tsx"
import { instancePath, tabs } from "./tabs.ts"

const contents: Record<(typeof tabs)[number]["path"], ComponentType> = {
  [instancePath]: lazy(() => import("./projects.tsx")),
  [`${instancePath}/health`]: lazy(() => import("./health.tsx")),
  [`${instancePath}/transports`]: lazy(() => import("./transports.tsx")),
  [`${instancePath}/requests`]: lazy(() => import("./requests.tsx")),
  [`${instancePath}/storage`]: lazy(() => import("./storage.tsx")),
  [`${instancePath}/backups`]: lazy(() => import("./backups.tsx")),
  [`${instancePath}/settings`]: lazy(() => import("./configuration.tsx")),
  [`${instancePath}/audit`]: lazy(() => import("./audit.tsx")),
} as const

/** The pages about all projects, for the owner of the instance. */
export default function InstancePage() {
  const config = useConfig()
  const [location] = useLocation()
  const tab = tabs.find(({ path }) => path === location)
  useDocumentTitle(`${tab ? `${tab.name} · ` : ""}This server · Mailstead`)
  if (!tab) return <Redirect to={instancePath} replace />
  const Content = contents[tab.path]
  return (
    <SectionsPage>
      <PageHead
        title="This server"
        summary={`Mailstead ${config.version}`}
        items={tabs.map(({ path, name }) => ({ path, name, current: path === location }))}
      />
      <Content />
    </SectionsPage>
  )
}
