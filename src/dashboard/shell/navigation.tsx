import { ActionIcon, Tooltip, UnstyledButton } from "@mantine/core"
import { IconBook, IconCommand, IconKeyboard, IconSend } from "@tabler/icons-react"
import type { ReactNode } from "react"
import { Link, useLocation } from "wouter"
import { useRegistry } from "../context/commands.tsx"
import { useSession } from "../context/session.ts"
import { Brand } from "../frame/brand.tsx"
import { isWithin } from "../frame/sections.ts"
import { openSendGuide } from "../parts/send-guide/open-send-guide.ts"
import { useStandingClock } from "../queries/clock.ts"
import { afterFocusReturn } from "../ui/after-focus-return.ts"
import { KeyCaps } from "../ui/keys.tsx"
import { lazyPart } from "../ui/on-demand.tsx"
import type { Page } from "./page.ts"
import { ProjectSwitcher } from "./project-switcher.tsx"
import { SchemeToggle } from "./scheme-toggle.tsx"
import { paletteKey } from "./use-palette.tsx"
import { UserMenu } from "./user-menu.tsx"

const ClockControl = lazyPart(() => import("./clock-control.tsx"))

interface NavigationProps {
  pages: readonly Page[]
  onCommands(): void
  onGo?: () => void
}

/** The left side. It folds to icons when its container is narrow. */
export function Navigation({ pages, onCommands, onGo }: NavigationProps) {
  const { config } = useSession()
  const clock = useStandingClock()
  const registry = useRegistry()
  const [location] = useLocation()
  const go = (action: () => void) => () => {
    if (!onGo) return action()
    onGo()
    afterFocusReturn(action)
  }
  const showShortcuts = () =>
    registry
      .all()
      .find(({ id }) => id === "shortcuts")
      ?.run()

  return (
    <div className="ms-navigation">
      <Brand sandbox={config.sandbox} />
      <ProjectSwitcher onGo={onGo} />
      <nav className="ms-links" aria-label="Main">
        {pages.map(({ path, name, icon: Icon, badge: Badge }) => (
          <Link
            key={path}
            href={path}
            className="ms-link"
            aria-current={isWithin(location, path) ? "page" : undefined}
            onClick={() => onGo?.()}
            title={name}
          >
            <Icon size={18} stroke={1.7} />
            <span className="ms-label">{name}</span>
            {Badge && (
              <span className="ms-badge">
                <Badge />
              </span>
            )}
          </Link>
        ))}
      </nav>
      <div className="ms-foot">
        {clock !== undefined && <ClockControl at={clock} />}
        <Tool icon={<IconSend size={17} stroke={1.7} />} label="How to send" run={go(() => openSendGuide())} />
        <Tool icon={<IconCommand size={17} stroke={1.7} />} label="Commands" hint={paletteKey} run={go(onCommands)} />
        {config.urls.wiki && (
          <a className="ms-link" href={config.urls.wiki} target="_blank" rel="noreferrer" title="API documentation">
            <IconBook size={17} stroke={1.7} />
            <span className="ms-label">API documentation</span>
          </a>
        )}
        <UserMenu onGo={onGo} />
        <div className="ms-bottom">
          <SchemeToggle />
          <Tooltip label="Keyboard shortcuts">
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label="Keyboard shortcuts"
              className="ms-shortcuts"
              onClick={go(showShortcuts)}
            >
              <IconKeyboard size={18} stroke={1.6} />
            </ActionIcon>
          </Tooltip>
          <span className="ms-version">{config.version}</span>
        </div>
      </div>
    </div>
  )
}

interface ToolProps {
  icon: ReactNode
  label: string
  hint?: string
  run(): void
}

function Tool({ icon, label, hint, run }: ToolProps) {
  return (
    <UnstyledButton className="ms-link" onClick={run} title={label}>
      {icon}
      <span className="ms-label">{label}</span>
      {hint && (
        <span className="ms-hint" aria-hidden="true">
          <KeyCaps keys={[hint]} />
        </span>
      )}
    </UnstyledButton>
  )
}
