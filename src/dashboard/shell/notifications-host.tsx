import { useNotifications } from "@mantine/notifications"
import { lazyPart, useHasBeen } from "../ui/on-demand.tsx"

const Notifications = lazyPart(() => import("./notifications.tsx"))

/** Shows notifications. What does is loaded for the first one, which waits for it. */
export function NotificationsHost() {
  const hasAny = useHasBeen(useNotifications().notifications.length > 0)
  return <>{hasAny && <Notifications />}</>
}
