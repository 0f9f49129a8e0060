import type { ComponentProps, ReactNode } from "react"
import { Link } from "wouter"
import styles from "./list-page.module.css"

/** A table row whose first link is opened by a click anywhere in the row, except on another control. */
export function LinkRow(props: Omit<ComponentProps<"tr">, "onClick">) {
  return (
    <tr
      {...props}
      data-clickable
      onClick={(event) => {
        const target = event.target instanceof Element ? event.target : null
        // selecting text is not a click
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

/** The title of a row, in the cell that shrinks when the table is narrow. */
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
