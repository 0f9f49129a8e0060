import { Drawer } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { createContext, type ReactNode, useContext } from "react"
import { useLocation } from "wouter"
import { WayProvider } from "../context/return-focus.tsx"
import { ImportDialog } from "../pages/contacts/import/import-dialog.tsx"
import { JobTray } from "../pages/contacts/jobs/tray.tsx"
import { LiveFeedProvider } from "../parts/mail-feed/live-feed.tsx"
import { ErrorBoundary } from "../ui/error-boundary.tsx"
import { Connection } from "./connection.tsx"
import { FailedPage } from "./failed-page.tsx"
import { Navigation } from "./navigation.tsx"
import { Palette } from "./palette.tsx"
import { useSession } from "./session.tsx"
import styles from "./shell.module.css"
import { useShellCommands } from "./shell-commands.ts"
import { Shortcuts } from "./shortcuts.tsx"

const MenuContext = createContext<() => void>(() => {})

/** Opens the navigation where the screen is too narrow to keep it in view. */
export const useOpenMenu = (): (() => void) => useContext(MenuContext)

/** Navigation beside the page, and what every page has: palette, shortcuts. */
export function Shell({ children }: { children: ReactNode }) {
  const [menu, { open, close }] = useDisclosure(false)
  const { project } = useSession()
  const [location] = useLocation()
  useShellCommands()
  return (
    <MenuContext value={open}>
      <div className={styles.shell}>
        <aside className={styles.side}>
          <Navigation />
        </aside>
        <Drawer
          opened={menu}
          onClose={close}
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
          <Navigation onGo={close} />
        </Drawer>
        {/* nothing of one project stays in sight of another */}
        <LiveFeedProvider key={project.id}>
          <div className={styles.place}>
            <Connection />
            <WayProvider>
              <ErrorBoundary of={location} fallback={(error) => <FailedPage error={error} />}>
                {children}
              </ErrorBoundary>
            </WayProvider>
          </div>
        </LiveFeedProvider>
      </div>
      <ImportDialog />
      <JobTray />
      <Palette />
      <Shortcuts />
    </MenuContext>
  )
}
