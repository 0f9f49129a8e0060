import { section } from "../../frame/sections.ts"
import type { Page } from "../../shell/page.ts"
import { onDemand } from "../../ui/on-demand.tsx"
import { UnreadBadge } from "./unread-badge.tsx"

export const inboxPage: Page = {
  ...section.inbox,
  ...onDemand(() => import("./inbox-page.tsx")),
  badge: UnreadBadge,
}
