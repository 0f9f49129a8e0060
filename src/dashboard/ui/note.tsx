import { IconAlertTriangle } from "@tabler/icons-react"
import type { ReactNode } from "react"
import styles from "./note.module.css"

/** Something that the reader of a page should know of what it shows, with what can be done about it. */
export const Note = ({ children, action }: { children: ReactNode; action?: ReactNode }) => (
  <div className={styles.note} role="note">
    <IconAlertTriangle size={16} stroke={1.7} />
    <p>{children}</p>
    {action}
  </div>
)
