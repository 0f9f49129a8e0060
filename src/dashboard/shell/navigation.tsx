import { ActionIcon, Tooltip, UnstyledButton } from "@mantine/core"
import { IconBook, IconCommand, IconKeyboard, IconSend } from "@tabler/icons-react"
import type { ReactNode } from "react"
import { Link, useLocation } from "wouter"
import { useRegistry } from "../context/commands.tsx"
import { useSession } from "../context/session.ts"
import { openSendGuide } from "../parts/send-guide/open-send-guide.ts"
import { useStandingClock } from "../queries/clock.ts"
import { KeyCaps } from "../ui/keys.tsx"
import { Logo } from "../ui/logo.tsx"
import { lazy } from "../ui/on-demand.tsx"
import styles from "./navigation.module.css"
import { isWithin, type Page } from "./page.ts"
import { ProjectSwitcher } from "./project-switcher.tsx"
import { SchemeToggle } from "./scheme-toggle.tsx"
import { paletteKey } from "./use-palette.tsx"
import { UserMenu } from "./user-menu.tsx"

const ClockControl = lazy(() => import("./clock-control.tsx"))

interface NavigationProps {
  pages: readonly Page[]
  onCommands(): void
  onGo?: () => void
}

/** The left side. It folds to icons when its container is narrow. */
export function Navigation({ pages, onCommands, onGo }: NavigationProps) {
  const { config, project } = useSession()
  const clock = useStandingClock()
  const registry = useRegistry()
  const [location] = useLocation()
  const go = (action: () => void) => () => {
    onGo?.()
    action()
  }
  const showShortcuts = () =>
    registry
      .all()
      .find(({ id }) => id === "shortcuts")
      ?.run()

  return (
    <div className={styles.navigation}>
      <div className={styles.brand}>
        <span className={styles.logo}>
          <Logo size={26} />
        </span>
        <span className={styles.name}>Mailstead</span>
        {config.sandbox && <span className={styles.mode}>Sandbox</span>}
      </div>
      <ProjectSwitcher onGo={onGo} />
      <nav className={styles.links} aria-label="Main">
        {pages.map(({ path, name, icon: Icon, badge: Badge }) => (
          <Link
            key={path}
            href={path}
            className={styles.link ?? ""}
            aria-current={isWithin(location, path) ? "page" : undefined}
            onClick={() => onGo?.()}
            title={name}
          >
            <Icon size={18} stroke={1.7} />
            <span className={styles.label}>{name}</span>
            {Badge && (
              <span className={styles.badge}>
                <Badge />
              </span>
            )}
          </Link>
        ))}
      </nav>
      <div className={styles.foot}>
        {clock !== undefined && <ClockControl at={clock} />}
        <Tool
          icon={<IconSend size={17} stroke={1.7} />}
          label="How to send"
          run={go(() => openSendGuide(config, project))}
        />
        <Tool icon={<IconCommand size={17} stroke={1.7} />} label="Commands" hint={paletteKey} run={go(onCommands)} />
        {config.urls.wiki && (
          <a className={styles.link} href={config.urls.wiki} target="_blank" rel="noreferrer" title="API documentation">
            <IconBook size={17} stroke={1.7} />
            <span className={styles.label}>API documentation</span>
          </a>
        )}
        <UserMenu onGo={onGo} />
        <div className={styles.bottom}>
          <SchemeToggle />
          <Tooltip label="Keyboard shortcuts">
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label="Keyboard shortcuts"
              className={styles.shortcuts ?? ""}
              onClick={go(showShortcuts)}
            >
              <IconKeyboard size={18} stroke={1.6} />
            </ActionIcon>
          </Tooltip>
          <span className={styles.version}>{config.version}</span>
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
    <UnstyledButton className={styles.link ?? ""} onClick={run} title={label}>
      {icon}
      <span className={styles.label}>{label}</span>
      {hint && (
        <span className={styles.hint} aria-hidden="true">
          <KeyCaps keys={[hint]} />
        </span>
      )}
    </UnstyledButton>
  )
}
