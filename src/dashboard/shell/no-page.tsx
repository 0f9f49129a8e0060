import { useLocation } from "wouter"
import { PageHead } from "../parts/page-head.tsx"
import { Notice } from "../ui/empty-state.tsx"
import type { Page } from "./page.ts"

/** Shown for an address that belongs to no page. */
export function NoPage({ start }: { start: Page }) {
  const [, go] = useLocation()
  return (
    <>
      <PageHead title="Not found" />
      <Notice text="There is no page at this address." action={`Go to ${start.name}`} onAction={() => go(start.path)} />
    </>
  )
}
