import { useDisclosure } from "@mantine/hooks"
import { useCallback } from "react"
import { useLocation } from "wouter"
import { type Command, useCommands } from "../context/commands.tsx"
import { MenuContext } from "../context/menu.ts"
import { NavigationHistory } from "../context/return-focus.tsx"
import { useIsReadOnly, useSession } from "../context/session.ts"
import { LiveFeedProvider } from "../parts/mail-feed/live-feed.tsx"
import { ErrorBoundary } from "../ui/error-boundary.tsx"
import { lazy, lazyPart, openOnDemand, useHasBeen } from "../ui/on-demand.tsx"
import { Connection } from "./connection.tsx"
import { FailedPage } from "./failed-page.tsx"
import { Navigation } from "./navigation.tsx"
import { Outdated } from "./outdated.tsx"
import { isOffered, type Page } from "./page.ts"
import { Routes } from "./routes.tsx"
import { useShellCommands } from "./shell-commands.ts"
import { Shortcuts } from "./shortcuts.tsx"
import { contentId, SkipLink } from "./skip-link.tsx"
import { UndoBar } from "./undo-bar.tsx"
import { usePalette } from "./use-palette.tsx"

const MenuDrawer = lazy(() => import("./menu-drawer.tsx"))
const Notices = lazyPart(() => import("./notices.tsx"))
const whenLoaded = openOnDemand(MenuDrawer.load, (_loaded, open: () => void) => open())

interface ShellProps {
  pages: readonly Page[]
}

/** The navigation, the page, and the parts of every page: palette, shortcuts, and additions of pages. */
export function Shell({ pages: all }: ShellProps) {
  const [menu, { open, close }] = useDisclosure(false)
  const hasMenu = useHasBeen(menu)
  const openMenu = useCallback(() => whenLoaded(open), [open])
  const session = useSession()
  const { project, config } = session
  const pages = all.filter((page) => isOffered(page, session))
  const [location] = useLocation()
  useShellCommands(pages)
  const { open: openPalette, element: palette } = usePalette()
  const listed = pages.filter(({ hidden }) => !hidden)
  return (
    <MenuContext value={openMenu}>
      <SkipLink />
      <div className="ms-shell">
        <aside className="ms-side">
          <Navigation pages={listed} onCommands={openPalette} />
        </aside>
        {hasMenu && (
          <MenuDrawer opened={menu} onClose={close}>
            <Navigation pages={listed} onCommands={openPalette} onGo={close} />
          </MenuDrawer>
        )}
        {/* nothing of one project stays in sight of another */}
        <LiveFeedProvider key={project.id}>
          <div className="ms-page" id={contentId} tabIndex={-1}>
            <Connection />
            <Outdated />
            {(project.disabled || config.features.email.paused) && <Notices />}
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
      {palette}
      <Shortcuts />
      <UndoBar />
    </MenuContext>
  )
}

/** The additions of a page to all pages: commands, and what they open. */
function PageAdditions({ page: { commands, overlay: Overlay } }: { page: Page }) {
  return (
    <>
      {commands && <PageCommands commands={commands} />}
      {Overlay && <Overlay />}
    </>
  )
}

function PageCommands({ commands }: { commands: () => readonly Command[] }) {
  const isReadOnly = useIsReadOnly()
  useCommands(commands().filter(({ group }) => !(isReadOnly && group === "New")))
  return null
}
