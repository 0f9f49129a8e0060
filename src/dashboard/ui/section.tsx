import type { ReactNode } from "react"
import { ScrollRegion } from "./scroll-region.tsx"
import styles from "./section.module.css"

interface SectionProps {
  title?: string
  /** A description, in a sentence or two. */
  text?: ReactNode
  /** Whether it is destructive. */
  danger?: boolean
  /** Whether the content, such as a table of many columns, has the whole width, below the description. */
  wide?: boolean
  children: ReactNode
}

/** One subject of a page of settings. */
export function Section({ title, text, danger = false, wide = false, children }: SectionProps) {
  return (
    <section
      className={styles.section}
      data-danger={danger || undefined}
      data-wide={wide || undefined}
      aria-label={title}
    >
      <header>
        {title && <h2 className={styles.title}>{title}</h2>}
        {text && <p className={styles.text}>{text}</p>}
      </header>
      <div className={styles.content}>{children}</div>
    </section>
  )
}

interface SectionsProps {
  /** Where they have nothing that could have the focus: then they have it, and this name, so that keys scroll them. */
  label?: string
  children: ReactNode
}

/** The sections of a page, which scroll below its head. */
export function Sections({ label, children }: SectionsProps) {
  const sections = <div className={styles.sections}>{children}</div>
  if (label === undefined) return <div className={styles.scroll}>{sections}</div>
  return (
    <ScrollRegion label={label} className={styles.scroll}>
      {sections}
    </ScrollRegion>
  )
}

/** A page of settings: its head, and below it the scrolling content. */
export const SectionsPage = ({ children }: { children: ReactNode }) => <main className={styles.page}>{children}</main>

/** A sentence instead of content that is empty or not permitted. */
export const SectionNote = ({ children }: { children: ReactNode }) => <p className={styles.note}>{children}</p>
