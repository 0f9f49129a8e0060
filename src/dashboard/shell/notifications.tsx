import { Notifications as Shown } from "@mantine/notifications"

export default function Notifications() {
  return <Shown position="bottom-center" limit={3} />
}
