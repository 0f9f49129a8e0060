import { useDocumentTitle } from "@mantine/hooks"
import { useLocation } from "wouter"
import { PageHead } from "../parts/page-head.tsx"
import { Notice } from "../ui/empty-state.tsx"
import { SectionsPage } from "../ui/section.tsx"
import type { Page } from "./page.ts"

/** Shown for an address that belongs to no page. */
export function NoPage({ start }: { start: Page }) {
  const [, go] = useLocation()
  useDocumentTitle("Not found · Mailstead")
  return (
    <SectionsPage>
      <PageHead title="Not found" />
      <Notice text="There is no page at this address." action={`Go to ${start.name}`} onAction={() => go(start.path)} />
    </SectionsPage>
  )
}
