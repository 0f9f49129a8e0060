import type { ReactNode } from "react"
import styles from "./section.module.css"

interface SectionProps {
  title?: string
  /** A description, in a sentence or two. */
  text?: ReactNode
  /** Whether it is destructive. */
  danger?: boolean
  children: ReactNode
}

/** One subject of a page of settings. */
export function Section({ title, text, danger = false, children }: SectionProps) {
  return (
    <section className={styles.section} data-danger={danger || undefined} aria-label={title}>
      <header>
        {title && <h2 className={styles.title}>{title}</h2>}
        {text && <p className={styles.text}>{text}</p>}
      </header>
      <div className={styles.content}>{children}</div>
    </section>
  )
}

/** The sections of a page, which scroll below its head. */
export const Sections = ({ children }: { children: ReactNode }) => (
  <div className={styles.scroll}>
    <div className={styles.sections}>{children}</div>
  </div>
)

/** A page of settings: its head, and below it the scrolling content. */
export const SectionsPage = ({ children }: { children: ReactNode }) => <main className={styles.page}>{children}</main>

/** A sentence instead of content that is empty or not permitted. */
export const SectionNote = ({ children }: { children: ReactNode }) => <p className={styles.note}>{children}</p>
