import type { ReactNode } from "react"
import type { Page } from "./page.ts"

/** The contexts that pages provide to all pages, the one of the first page outermost. */
export function PageProviders({ pages, children }: { pages: readonly Page[]; children: ReactNode }) {
  let content = children
  for (const { provider: Provider } of pages.toReversed()) if (Provider) content = <Provider>{content}</Provider>
  return content
}
