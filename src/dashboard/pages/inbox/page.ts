import { IconInbox } from "@tabler/icons-react"
import type { Page } from "../../shell/page.ts"
import { InboxRoutes } from "./inbox-page.tsx"
import { UnreadBadge } from "./unread-badge.tsx"

/** Not loaded on demand, because it is the page that one starts on. */
export const inboxPage: Page = {
  path: "/inbox",
  name: "Inbox",
  icon: IconInbox,
  content: InboxRoutes,
  badge: UnreadBadge,
}
