import { useUnreadCount } from "../../parts/mail-feed/feed.ts"

/** How many mails are unread, or nothing. */
export function UnreadBadge() {
  const unread = useUnreadCount()
  if (unread === 0) return null
  return (
    <span role="img" aria-label={`${unread} unread`}>
      {unread.toLocaleString("en")}
    </span>
  )
}
