import { Burger } from "@mantine/core"
import { type ReactNode, useEffect, useRef } from "react"
import { Link } from "wouter"
import { useOpenMenu } from "../context/menu.ts"
import styles from "./page-head.module.css"

export interface PageHeadProps {
  title: string
  /** Empty until it is known; absent where there is none, so that no room is kept for it. */
  summary?: string
  /** Actions, at the end of the line. */
  children?: ReactNode
  /** The related pages, with the current one marked. */
  items?: readonly { readonly path: string; readonly name: string; readonly current: boolean }[]
}

/** The first line of a page and, below it, links to related pages. */
export function PageHead({ title, summary, children, items }: PageHeadProps) {
  const openMenu = useOpenMenu()
  const links = useRef<HTMLElement>(null)
  const current = items?.find((item) => item.current)?.path
  // where they have no room beside each other
  useEffect(() => {
    if (current !== undefined)
      links.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" })
  }, [current])
  return (
    <header className="ms-head" data-items={items ? true : undefined}>
      <div className="ms-line">
        <Burger className={styles.burger ?? ""} size="sm" onClick={openMenu} aria-label="Open navigation" />
        <div className="ms-labels">
          <h1 className="ms-title">{title}</h1>
          {summary !== undefined && <span className="ms-summary">{summary}</span>}
        </div>
        {children}
      </div>
      {items && (
        <nav ref={links} className={styles.items} aria-label={title}>
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
