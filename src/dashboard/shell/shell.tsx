import { Drawer } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { useLocation } from "wouter"
import { type Command, useCommands } from "../context/commands.tsx"
import { MenuContext } from "../context/menu.ts"
import { NavigationHistory } from "../context/return-focus.tsx"
import { useSession } from "../context/session.ts"
import { LiveFeedProvider } from "../parts/mail-feed/live-feed.tsx"
import { ErrorBoundary } from "../ui/error-boundary.tsx"
import { Connection } from "./connection.tsx"
import { DisabledNotice } from "./disabled-notice.tsx"
import { FailedPage } from "./failed-page.tsx"
import { Navigation } from "./navigation.tsx"
import type { Page } from "./page.ts"
import { Palette } from "./palette.tsx"
import { Routes } from "./routes.tsx"
import styles from "./shell.module.css"
import { useShellCommands } from "./shell-commands.ts"
import { Shortcuts } from "./shortcuts.tsx"
import { contentId, SkipLink } from "./skip-link.tsx"
import { UndoBar } from "./undo-bar.tsx"

interface ShellProps {
  pages: readonly Page[]
}

/** The navigation, the page beside it, and what every page has: palette, shortcuts, and what the pages add to it. */
export function Shell({ pages: all }: ShellProps) {
  const [menu, { open, close }] = useDisclosure(false)
  const session = useSession()
  const { project } = session
  const pages = all.filter(({ offered }) => offered?.(session) ?? true)
  const [location] = useLocation()
  useShellCommands(pages)
  const listed = pages.filter(({ hidden }) => !hidden)
  return (
    <MenuContext value={open}>
      <SkipLink />
      <div className={styles.shell}>
        <aside className={styles.side}>
          <Navigation pages={listed} />
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
          <Navigation pages={listed} onGo={close} />
        </Drawer>
        {/* nothing of one project stays in sight of another */}
        <LiveFeedProvider key={project.id}>
          <div className={styles.page} id={contentId} tabIndex={-1}>
            <Connection />
            <DisabledNotice />
            <NavigationHistory>
              <ErrorBoundary of={location} fallback={(error) => <FailedPage error={error} items={listed} />}>
                <Routes pages={pages} />
              </ErrorBoundary>
            </NavigationHistory>
          </div>
        </LiveFeedProvider>
      </div>
      {pages.map((page) => (
        <PageAdditions key={page.path} page={page} />
      ))}
      <Palette />
      <Shortcuts />
      <UndoBar />
    </MenuContext>
  )
}

/** What a page adds to all pages: commands, and what they open. */
function PageAdditions({ page: { commands, overlay: Overlay } }: { page: Page }) {
  return (
    <>
      {commands && <PageCommands commands={commands} />}
      {Overlay && <Overlay />}
    </>
  )
}

function PageCommands({ commands }: { commands: () => readonly Command[] }) {
  useCommands(commands())
  return null
}
