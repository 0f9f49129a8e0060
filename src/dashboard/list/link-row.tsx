import type { ComponentProps, ReactNode } from "react"
import { Link } from "wouter"
import styles from "./list-page.module.css"

/** A row of a table that a click opens by its first link, wherever it falls but on what is a control of its own. */
export function LinkRow(props: Omit<ComponentProps<"tr">, "onClick">) {
  return (
    <tr
      {...props}
      data-clickable
      onClick={(event) => {
        const target = event.target instanceof Element ? event.target : null
        // a text that is being marked is no click
        if (target?.closest("a, button, input, label, [role=menu]") || getSelection()?.toString()) return
        event.currentTarget.querySelector("a")?.click()
      }}
    />
  )
}

interface RowTitleProps {
  href: string
  name: string
  /** Below the name. */
  note: ReactNode
}

/** What a row is about, in the cell that gives way when the table is narrow. */
export function RowTitle({ href, name, note }: RowTitleProps) {
  return (
    <>
      <Link href={href} className={`${styles.cut} ${styles.title}`} dir="auto" data-row>
        {name}
      </Link>
      {note && (
        <span className={`${styles.cut} ${styles.note}`} dir="auto">
          {note}
        </span>
      )}
    </>
  )
}
