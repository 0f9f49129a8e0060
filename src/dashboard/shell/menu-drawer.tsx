import { Drawer } from "@mantine/core"
import type { ReactNode } from "react"
import { useIsMounted } from "../ui/on-demand.tsx"
import styles from "./menu-drawer.module.css"

interface MenuDrawerProps {
  opened: boolean
  onClose(): void
  children: ReactNode
}

/** The navigation of a narrow screen. */
export default function MenuDrawer({ opened, onClose, children }: MenuDrawerProps) {
  const isMounted = useIsMounted()
  return (
    <Drawer
      opened={isMounted && opened}
      onClose={onClose}
      size={280}
      padding={0}
      withCloseButton={false}
      title="Navigation"
      classNames={{
        header: styles.drawerHeader ?? "",
        content: styles.drawer ?? "",
        body: styles.drawerBody ?? "",
      }}
    >
      {children}
    </Drawer>
  )
}
