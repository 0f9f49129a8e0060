import { Button } from "@mantine/core"
import { useDocumentTitle } from "@mantine/hooks"
import type { ReactNode } from "react"
import { Logo } from "../../ui/logo.tsx"
import styles from "./entry-screen.module.css"

interface EntryScreenProps {
  title: string
  text?: ReactNode
  /** The position in a sequence of screens. */
  step?: string
  children?: ReactNode
  /** Below the card: links to alternatives. */
  foot?: ReactNode
}

/** The frame of the screens before and outside of the dashboard. */
export function EntryScreen({ title, text, step, children, foot }: EntryScreenProps) {
  useDocumentTitle(`${title} · Mailstead`)
  return (
    <main className={styles.screen}>
      <div className={styles.inner}>
        <div className={styles.brand}>
          <span className={styles.logo}>
            <Logo size={30} />
          </span>
          Mailstead
        </div>
        <div className={styles.card}>
          {step && <p className={styles.step}>{step}</p>}
          <h1 className={styles.title}>{title}</h1>
          {text && <p className={styles.text}>{text}</p>}
          {children && <div className={styles.content}>{children}</div>}
        </div>
        {foot && <p className={styles.foot}>{foot}</p>}
      </div>
    </main>
  )
}

/** A link to the dashboard that reloads everything. */
export const ToDashboard = ({ children }: { children: string }) => (
  <Button component="a" href="/app" fullWidth>
    {children}
  </Button>
)
