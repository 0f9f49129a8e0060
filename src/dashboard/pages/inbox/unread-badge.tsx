import { useUnreadCount } from "../../parts/mail-feed/feed.ts"

/** The number of unread mails, if any. */
export function UnreadBadge() {
  const unread = useUnreadCount()
  if (unread === 0) return null
  return (
    <span role="img" aria-label={`${unread} unread`}>
      {unread.toLocaleString("en")}
    </span>
  )
}
