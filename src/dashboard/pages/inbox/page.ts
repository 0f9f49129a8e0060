import { IconInbox } from "@tabler/icons-react"
import type { Page } from "../../shell/page.ts"
import { onDemand } from "../../ui/on-demand.tsx"
import { UnreadBadge } from "./unread-badge.tsx"

export const inboxPage: Page = {
  path: "/inbox",
  name: "Inbox",
  icon: IconInbox,
  ...onDemand(() => import("./inbox-page.tsx")),
  badge: UnreadBadge,
}
