import type { ReactNode } from "react"
import styles from "./number-table.module.css"
import { ScrollRegion } from "./scroll-region.tsx"

interface NumberTableProps {
  label: string
  /** The first one is that of the row headers. */
  columns: readonly string[]
  /** Whether it scrolls within the height of a chart. */
  low?: boolean
  children: ReactNode
}

/** A table of figures, which scrolls when it is wider than its place. */
export const NumberTable = ({ label, columns, low = false, children }: NumberTableProps) => (
  <ScrollRegion className={low ? `${styles.rows} ${styles.low}` : styles.rows} label={label}>
    <table>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </ScrollRegion>
)
