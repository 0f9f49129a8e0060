import { useNotifications } from "@mantine/notifications"
import { lazy, Suspense } from "react"
import { useHasBeen } from "../ui/on-demand.ts"

const Notifications = lazy(() => import("./notifications.tsx"))

/** Shows notifications. What does is loaded for the first one, which waits for it. */
export function NotificationsHost() {
  const hasAny = useHasBeen(useNotifications().notifications.length > 0)
  return <Suspense>{hasAny && <Notifications />}</Suspense>
}
