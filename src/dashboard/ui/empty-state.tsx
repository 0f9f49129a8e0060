import { Button } from "@mantine/core"
import type { Icon } from "@tabler/icons-react"
import type { ReactNode } from "react"
import styles from "./empty-state.module.css"

interface EmptyStateProps {
  icon: Icon
  title: string
  text: string
  /** The next actions, the most likely first. */
  actions?: ReactNode
  children?: ReactNode
}

/** Shown on an empty page: what it will contain, and how to create the first item. */
export function EmptyState({ icon: Icon, title, text, actions, children }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <div className={styles.inner}>
        <span className={styles.icon}>
          <Icon size={36} stroke={1.6} aria-hidden="true" />
        </span>
        <h2 className={styles.title}>{title}</h2>
        <p className={styles.text}>{text}</p>
        {actions && <div className={styles.actions}>{actions}</div>}
        {children && <div className={styles.more}>{children}</div>}
      </div>
    </div>
  )
}

interface NoticeProps {
  text: string
  action?: string
  onAction?: () => void
  /** Whether it reports a failure. */
  failed?: boolean
}

/** One line instead of a list, with an action. */
export function Notice({ text, action, onAction, failed = false }: NoticeProps) {
  return (
    <div className={styles.none} role={failed ? "alert" : undefined}>
      <p>{text}</p>
      {action && onAction && (
        <Button variant="subtle" size="compact-sm" onClick={onAction}>
          {action}
        </Button>
      )}
    </div>
  )
}
