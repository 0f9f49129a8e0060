import { Burger } from "@mantine/core"
import type { ReactNode } from "react"
import { Link } from "wouter"
import { useOpenMenu } from "../context/menu.ts"
import styles from "./page-head.module.css"

interface PageHeadProps {
  title: string
  summary?: string
  /** What can be done here, at the end of the line. */
  children?: ReactNode
  /** The pages that belong together, the present one marked. */
  items?: readonly { readonly path: string; readonly name: string; readonly current: boolean }[]
}

/** The first line of a page and, below it, links to the pages that belong with it. */
export function PageHead({ title, summary = "", children, items }: PageHeadProps) {
  const openMenu = useOpenMenu()
  return (
    <header className={styles.head} data-items={items ? true : undefined}>
      <div className={styles.line}>
        <Burger className={styles.burger ?? ""} size="sm" onClick={openMenu} aria-label="Open navigation" />
        <div className={styles.labels}>
          <h1 className={styles.title}>{title}</h1>
          <span className={styles.summary}>{summary}</span>
        </div>
        {children}
      </div>
      {items && (
        <nav className={styles.items} aria-label={title}>
          {items.map(({ path, name, current }) => (
            <Link
              key={path}
              href={path}
              className={styles.item ?? ""}
              {...(current ? { "aria-current": "page" as const } : {})}
            >
              {name}
            </Link>
          ))}
        </nav>
      )}
    </header>
  )
}
